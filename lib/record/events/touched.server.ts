import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { type Caller, seesEverything } from '#lib/caller/auth/privileges'
import type { Kind } from '#lib/caller/kinds/kind'
import { allKinds, kindNamed, kinds } from '#lib/caller/kinds/kinds'
import {
  hasMovedAway,
  seenWithHolder,
  seesDatacenter,
  seesEnterprise,
  seesScope,
} from '#lib/caller/scopes/visibility.server'
import { cachedUntilWrite } from '#lib/db/cache.server'
import { isSeenChange } from '#lib/db/changed.server'
import { type Db, database } from '#lib/db/db.server'
import { indexedBy, textIn } from '#lib/db/dialect.server'
import { journaledTables } from '#lib/db/journal.server'
import { hasText } from '#lib/db/list.server'
import type { StoredChanges } from '#lib/record/events/stored'

/*
 * The resources that an event about several of them touched: the rows of the journal at the moments of its transactions. `past` is the
 * row before the change, `later` the one that a later change replaced, and `present` the row as it is now.
 */

type Expression = RawBuilder<unknown>
type Condition = RawBuilder<SqlBool>

/** Part of an event's row. */
export type About = {
  id: number
  action: string
  changes: string
  undoable: number
  about_enterprise_id: number | null
  about_datacenter_id: number | null
}

/** A changed resource: its table, its id, and the moment of the change. */
export type Touched = { source: string; id: number; until: number }

/** Not among the tables whose rows an event restores. */
const others: readonly string[] = [kinds.location.name, kinds.application.name]

const restored = allKinds.filter(
  ({ name, table }) => !others.includes(name) && journaledTables.includes(table),
)

/** Events about several kinds of resources. */
const mixed = ['apply-plan', 'take-back-change']

/** The first action, which this one or those before it undid. */
const undoneBy = (action: string): string => action.replace(/^(undo-)+/, '')

/** The kinds of resources that an event of this action is about, or undefined if it is about one resource. */
export function kindsOfMany(action: string): readonly Kind[] | undefined {
  const undone = undoneBy(action)
  const kind = kindNamed(/-(\w+)s$/.exec(undone)?.[1] ?? '')
  if (kind && restored.includes(kind)) return [kind]
  return mixed.includes(undone) || undone !== action ? restored : undefined
}

/** Changes of NAT IPs that no holder has. */
export const holderless = ['create-natips', 'delete-natips'] as const

/** All NAT IPs of such an event are in its datacenter, so every reader of the event sees them, but perhaps not who holds them. */
const areAllSeen = (
  { scope }: Caller,
  { action, about_datacenter_id: place, about_enterprise_id: holder }: About,
  many: readonly Kind[],
): boolean =>
  seesEverything(scope) ||
  (place !== null &&
    many.every(({ name }) => name === kinds.natip.name) &&
    // An attachment is about the enterprise of its holder too.
    (scope.allEnterprises || holder !== null || holderless.some((name) => name === undoneBy(action))))

const momentsOf = ({ id }: About): Expression => sql`(select moment from events where id = ${id}
  union all select moment from event_steps where event_id = ${id})`

/** Tables whose rows are members of a role or a scope, and the id of that, in a query of `past_rows as member`. */
export function membersOf({ name }: Kind): { table: string; holder: Expression } | undefined {
  if (name === kinds.role.name) return { table: 'role_privileges', holder: sql`member.id` }
  if (name !== kinds.scope.name) return undefined
  const present = sql`(select scope_id from scope_entities where scope_entities.id = member.id)`
  const last = asNumber(lastOf('scope_entities', sql`member.id`, 'scope_id'))
  const then = asNumber(textIn(database().engine, 'member.content', ['scope_id']))
  return { table: 'scope_entities', holder: sql`coalesce(${then}, ${present}, ${last})` }
}

/** The changed rows of a kind, as `past`. By this index they come in their order, so that a page costs what it shows. */
function changedRows({ table }: Kind, event: About): Rows {
  const index = indexedBy(database().engine, 'past_rows_until')
  return {
    from: sql`past_rows as past ${index}`,
    where: sql`past.source = ${sql.lit(table)} and past.part = '' and past.until in ${momentsOf(event)}`,
  }
}

type Rows = { from: Expression; where: Expression }

/** Roles and scopes whose members changed, but not their own rows. */
function holdersOf(kind: Kind, event: About): Rows[] {
  const members = membersOf(kind)
  if (!members) return []
  const { table, holder } = members
  return [
    {
      from: sql`(select distinct ${holder} as id, member.until as until, cast(null as text) as content
        from past_rows member where member.source = ${sql.lit(table)} and member.until in ${momentsOf(event)}) past`,
      where: sql`not exists (select 1 from past_rows own where own.source = ${sql.lit(kind.table)}
        and own.id = past.id and own.part = '' and own.until = past.until)`,
    },
  ]
}

/** A column that never changes, of a row that may be deleted. */
const lastOf = (table: string, id: Expression, column: string): Expression =>
  sql`(select ${textIn(database().engine, 'gone.content', [column])} from past_rows gone
    where gone.source = ${sql.lit(table)} and gone.id = ${id} and gone.content is not null limit 1)`

const knownOf = (table: string, id: Expression, column: string): Expression =>
  sql`coalesce((select cast(known.${sql.ref(column)} as text) from ${sql.table(table)} known where known.id = ${id}), ${lastOf(table, id, column)})`

/** The datacenter of a NAT network that may be deleted. */
export const placeOfNetwork = (network: number): Expression =>
  asNumber(knownOf(kinds.natnetwork.table, sql`${network}`, 'datacenter_id'))

/** The next version of the row, if it changed again. By its id: the index on `until` has the later changes of all rows. */
const laterIn = ({ table }: Kind, value: Expression): Expression =>
  sql`(select ${value} from past_rows later where later.source = ${sql.lit(table)} and later.id = past.id
    and later.part = '' and +later.until > past.until order by +later.until limit 1)`

/** The values of a column now, before the change, and after it, each of which may be missing. */
const versionsOf = (kind: Kind, column: string): Expression[] => [
  sql`cast(${sql.ref(`present.${column}`)} as text)`,
  textIn(database().engine, 'past.content', [column]),
  laterIn(kind, textIn(database().engine, 'later.content', [column])),
]

/** Any of them, of a column that never changes. */
const anyOf = (kind: Kind, column: string): Expression => sql`coalesce(${sql.join(versionsOf(kind, column))})`

const asNumber = (value: Expression): Expression => sql`cast(${value} as bigint)`

const sees = { enterprise: seesEnterprise, datacenter: seesDatacenter, scope: seesScope }

/** Only users and roles move from one place to another. */
const moving: readonly string[] = [kinds.user.name, kinds.role.name]

/** The caller sees every place of the resource: before the change, after it, and now. */
function isSeen(caller: Caller, kind: Kind): Condition {
  const { place = {}, name: type } = kind
  const [owner, key] = place.via ?? []
  const conditions = (['enterprise', 'datacenter', 'scope'] as const).flatMap((name): Condition[] => {
    const column = place[name]
    const seen = (value: Expression) => sees[name](caller, asNumber(value))
    if (column === undefined) return []
    if (column === 'id') return [seen(sql`past.id`)]
    if (owner && key && column.startsWith('via.'))
      return [seen(knownOf(owner, asNumber(anyOf(kind, key)), column.slice('via.'.length)))]
    if (!moving.includes(type)) return [seen(anyOf(kind, column))]
    const all = versionsOf(kind, column).map((value) => sql<SqlBool>`(${value} is null or ${seen(value)})`)
    all.push(sql<SqlBool>`not ${hasMovedAway(caller, kind, sql`past.id`)}`)
    return place.orEveryEnterprise ? all : [...all, sql<SqlBool>`${anyOf(kind, column)} is not null`]
  })
  return conditions.length === 0 ? sql`1 = 1` : sql`(${sql.join(conditions, sql` and `)})`
}

/** A NAT IP whose holder is hidden is free and has no notes, before and after the change. */
const isSeenOfIp = (caller: Caller, kind: Kind): Condition[] =>
  kind.name !== kinds.natip.name || caller.scope.allEnterprises
    ? []
    : [
        isSeenChange(
          seenWithHolder((id) =>
            seesEnterprise(caller, asNumber(knownOf('virtual_datacenters', id, 'enterprise_id'))),
          ),
          'past',
        ),
      ]

/** The names of a resource: those of a rule are its addresses. */
function namesOf(kind: Kind): Expression[] {
  const { name } = kind
  if (name === kinds.natrule.name)
    return [
      knownOf('nat_ips', asNumber(anyOf(kind, 'nat_ip_id')), 'ip'),
      knownOf('private_ips', asNumber(anyOf(kind, 'private_ip_id')), 'ip'),
    ]
  if (name === kinds.natip.name || name === kinds.privateip.name) return [anyOf(kind, 'ip')]
  return versionsOf(kind, name === kinds.user.name ? 'nick_key' : 'name_key')
}

const hasName = (kind: Kind, has: string): Condition =>
  sql`(${sql.join(
    namesOf(kind).map((name) => hasText(name, has)),
    sql` or `,
  )})`

/** The events of the parts of a plan share its moment: each counts the resources of one datacenter that changed in one way. */
function ofPart(event: About, kind: Kind): Condition[] {
  const isPart = event.undoable === 0 && 'plan' in (JSON.parse(event.changes) as StoredChanges)
  if (!isPart || event.action === 'apply-plan') return []
  const later = laterIn(kind, sql`case when later.content is null then 0 else 1 end`)
  const remains = sql`coalesce(${later}, case when present.id is null then 0 else 1 end)`
  const ways: Record<string, Condition> = {
    create: sql`past.content is null`,
    delete: sql`past.content is not null and ${remains} = 0`,
  }
  const way = ways[event.action.split('-')[0] ?? ''] ?? sql`past.content is not null and ${remains} = 1`
  return [way, sql`${asNumber(anyOf(kind, 'datacenter_id'))} = ${event.about_datacenter_id}`]
}

type Wanted = { caller: Caller; has?: string; entity?: string | undefined }

/** All of them that the caller sees. */
export function touchedBy(event: About, { caller, has = '', entity }: Wanted): RawBuilder<Touched> {
  const many = kindsOfMany(event.action) ?? []
  const seesAll = areAllSeen(caller, event, many)
  const parts = many
    .filter(({ name }) => entity === undefined || entity === name)
    .flatMap((kind) => {
      const conditions = [
        ...(seesAll ? [] : [isSeen(caller, kind), ...isSeenOfIp(caller, kind)]),
        ...(has === '' ? [] : [hasName(kind, has)]),
        ...ofPart(event, kind),
      ]
      const rows = [changedRows(kind, event), ...(many.length > 1 ? holdersOf(kind, event) : [])]
      const present =
        conditions.length === 0
          ? sql``
          : sql`left join ${sql.table(kind.table)} present on present.id = past.id`
      return rows.map(
        ({ from, where }) => sql`select ${sql.lit(kind.table)} as source, past.id as id, past.until as until
          from ${from} ${present} where ${sql.join([where, ...conditions], sql` and `)}`,
      )
    })
  return parts.length === 0
    ? sql`select source, id, until from past_rows where 1 = 0`
    : sql`${sql.join(parts, sql` union all `)}`
}

/** Fields with numbers of resources, some of which may be hidden. */
const counts = ['count', 'numips', 'refused', 'created', 'updated', 'deleted', 'undone', 'kept']

/**
 * The changes without the numbers of resources, unless the caller sees all of these, and without the filter that another chose them by: it
 * may be by what is hidden from the caller.
 */
export function withoutHidden<Field>(
  caller: Caller,
  event: About & { user_id: number | null },
  changes: [name: string, field: Field][],
): [string, Field][] {
  const many = kindsOfMany(event.action)
  if (!many || seesEverything(caller.scope)) return changes
  const hidden = [
    ...(areAllSeen(caller, event, many) ? [] : counts),
    ...(event.user_id === caller.id ? [] : ['filter']),
  ]
  return changes.filter(([name]) => !hidden.includes(name))
}

/** How many resources the event touched, of those that the caller sees. */
export async function countTouched({ caller, db }: ReadContext, event: About): Promise<number> {
  const many = kindsOfMany(event.action)
  if (!many) return 1
  const { count, numips } = JSON.parse(event.changes) as StoredChanges
  const stored = Number((count ?? numips)?.after)
  if (areAllSeen(caller, event, many) && Number.isInteger(stored)) return stored
  const counted = (on: Db) =>
    on
      .selectFrom(sql<Touched>`(${touchedBy(event, { caller })})`.as('touched'))
      .select(sql<number>`count(*)`.as('total'))
  const read = async (on: Db) => Number((await counted(on).executeTakeFirst())?.total)
  if (db.isTransaction) return read(db)
  const { scan } = database()
  return cachedUntilWrite(
    counted(scan).compile(),
    () => 0,
    () => read(scan),
  )
}
