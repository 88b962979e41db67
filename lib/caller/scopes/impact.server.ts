import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { linkTo, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { lineOf } from '#lib/caller/scopes/family.server'
import {
  isLost,
  type Preview,
  previewRemoval,
  previewUpdate,
  type Shape,
} from '#lib/caller/scopes/preview.server'
import {
  IMPACT_SHOWN,
  type ImpactEntry,
  type ImpactEntryType,
  type ScopeImpact,
  type ScopeInput,
} from '#lib/caller/scopes/scopes.schema'
import { type ScopeRow, scopeReferences } from '#lib/caller/scopes/scopes.server'
import { seesDatacenter, seesEnterprise, seesRole } from '#lib/caller/scopes/visibility.server'
import { database } from '#lib/db/db.server'
import { ApiError } from '#lib/ground/http/errors'
import { link, type MediaName } from '#lib/ground/http/view'

type Condition = RawBuilder<SqlBool>
export type Entries = { entries: ImpactEntry[]; total: number }

/** Previews a PUT of this document, or a DELETE if there is none. Writes nothing. */
export async function impactOf({
  caller,
  found: scope,
  body,
}: ReadContext & { found: ScopeRow; body: ScopeInput | undefined }): Promise<ScopeImpact> {
  // A large scope has many users.
  const context = { caller, db: database().scan }
  const links = [linkTo(kinds.scope, { id: scope.id }, scope.name)]
  try {
    const preview = body
      ? await previewUpdate({ ...context, references: await scopeReferences(context, body) }, scope, body)
      : await previewRemoval(context, scope)
    return { links, refusals: preview.refusals, ...(await effectsOf(context, preview)) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // A reference does not exist: the change would be refused before any other check.
    return { links, refusals: error.faults.map((fault) => ({ ...fault, links: [] })), ...effects({}) }
  }
}

const none: Entries = { entries: [], total: 0 }

type List = keyof ScopeImpact['totals']

const lists: readonly List[] = ['gained', 'lost', 'users', 'roles', 'templates', 'enterprises']

const mapLists = <T>(of: (list: List) => T) =>
  Object.fromEntries(lists.map((list) => [list, of(list)])) as Record<List, T>

const effects = (found: Partial<Record<List, Entries>>) => ({
  ...mapLists((list) => (found[list] ?? none).entries),
  totals: mapLists((list) => (found[list] ?? none).total),
})

const gone: Shape = {
  parent: null,
  enterprises: { all: false, ids: [] },
  datacenters: { all: false, ids: [] },
}

const isUnlimited = ({ enterprises, datacenters }: Shape): string => `${enterprises.all} ${datacenters.all}`

async function effectsOf(
  context: ReadContext,
  preview: Preview,
): Promise<Omit<ScopeImpact, 'links' | 'refusals'>> {
  const { before, after = gone, scope } = preview
  const [gained, lost] = [await difference(context, after, before), await difference(context, before, after)]
  const changed = gained.total + lost.total > 0 || isUnlimited(before) !== isUnlimited(after)
  const viewers = await viewersOf(context, preview)
  const users = await usersOf(context, changed ? [scope.id, ...viewers] : viewers)
  if (!changed && preview.after) return effects({ gained, lost, users })
  return effects({
    gained,
    lost,
    users,
    roles: await entriesIn(context, 'ROLE', sql`scope_id = ${scope.id}`),
    templates: await templatesOf(context, scope.id),
    enterprises: await entriesIn(context, 'ENTERPRISE', sql`default_scope_id = ${scope.id}`),
  })
}

/** The members of `from` that are not in `to`, limited to those that the caller sees. */
async function difference(context: ReadContext, from: Shape, to: Shape): Promise<Entries> {
  const [enterprises, datacenters] = [
    await entriesIn(context, 'ENTERPRISE', isLost('enterprises.id', from.enterprises, to.enterprises)),
    await entriesIn(context, 'DATACENTER', isLost('datacenters.id', from.datacenters, to.datacenters)),
  ]
  return {
    entries: [...enterprises.entries, ...datacenters.entries],
    total: enterprises.total + datacenters.total,
  }
}

const counted = sql<number>`count(*) over ()`.as('total')

type AffectedRow = { id: number; name: string; path: string; total: number }

const mediaOf: Record<ImpactEntryType, MediaName> = {
  ENTERPRISE: 'enterprise',
  DATACENTER: 'datacenter',
  USER: 'user',
  ROLE: 'role',
  TEMPLATE: 'virtualmachinetemplate',
  PRIVILEGE: 'privilege',
}

export function entriesOf(type: ImpactEntryType, rows: AffectedRow[]): Entries {
  const entries = rows.map(({ id, name, path }) => ({
    links: [link(mediaOf[type], path, mediaOf[type], name)],
    type,
    id,
    name,
  }))
  return { entries, total: Number(rows[0]?.total ?? 0) }
}

const named = {
  ENTERPRISE: { table: 'enterprises', sees: (caller) => seesEnterprise(caller, 'enterprises.id') },
  DATACENTER: { table: 'datacenters', sees: (caller) => seesDatacenter(caller, 'datacenters.id') },
  ROLE: { table: 'roles', sees: seesRole },
} as const satisfies Record<string, { table: string; sees: (caller: Caller) => Condition }>

/** The first visible rows that meet the condition, in the order of their names. */
async function entriesIn(
  { caller, db }: ReadContext,
  type: keyof typeof named,
  which: Condition,
): Promise<Entries> {
  const { table, sees } = named[type]
  const query = db.selectFrom(table).where(which).where(sees(caller)).select(['id', 'name', counted])
  const rows = await query.orderBy('name_key').orderBy('id').limit(IMPACT_SHOWN).execute()
  return entriesOf(
    type,
    rows.map((row) => ({ ...row, path: `/admin/${table}/${row.id}` })),
  )
}

/**
 * The scopes whose holders see this one only before or only after the change: its ancestors, and the scopes that are unlimited in one
 * dimension and see a root like it (docs/api/authorization.md, "Visibility"). Holders who are unlimited in both dimensions see it either way.
 */
async function viewersOf({ db }: ReadContext, { scope, before, after }: Preview): Promise<number[]> {
  // A removed scope had no children, so no user loses another scope.
  if (!after) return []
  const lines = [await lineOf(db, before.parent), await lineOf(db, after.parent)]
  const flags = [halfUnlimited(before), halfUnlimited(after)]
  const above = [...new Set(lines.flat())].filter(
    (id) => id !== scope.id && lines.filter((line) => line.includes(id)).length === 1,
  )
  const like = flags[0] === flags[1] ? [] : flags.filter((condition) => condition !== undefined)
  if (above.length === 0 && like.length === 0) return []
  const rows = await db
    .selectFrom('scopes')
    .where('id', '<>', scope.id)
    .where((on) => on.or([on('all_datacenters', '=', 0), on('all_enterprises', '=', 0)]))
    .where((on) =>
      on.or([...(above.length > 0 ? [on('id', 'in', above)] : []), ...like.map((flag) => conditions[flag])]),
    )
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

const conditions = {
  datacenters: sql<SqlBool>`(all_datacenters = 1 and all_enterprises = 0)`,
  enterprises: sql<SqlBool>`(all_datacenters = 0 and all_enterprises = 1)`,
}

/** The one dimension in which a root is unlimited. */
function halfUnlimited({ parent, datacenters, enterprises }: Shape): keyof typeof conditions | undefined {
  if (parent !== null || datacenters.all === enterprises.all) return undefined
  return datacenters.all ? 'datacenters' : 'enterprises'
}

/** The users who hold one of the scopes, as their own or by their enterprise's default. */
async function usersOf(context: ReadContext, scopes: number[]): Promise<Entries> {
  if (scopes.length === 0) return none
  return usersWhere(
    context,
    sql`(users.scope_id in (${sql.join(scopes)}) or (users.scope_id is null and users.enterprise_id in
    (select id from enterprises where default_scope_id in (${sql.join(scopes)}))))`,
  )
}

/** The first visible users who meet the condition, and their number. */
export async function usersWhere({ caller, db }: ReadContext, which: Condition): Promise<Entries> {
  const rows = await db
    .selectFrom('users')
    .where(which)
    .where(seesEnterprise(caller, 'users.enterprise_id'))
    .select(['id', 'nick as name', 'enterprise_id', counted])
    .orderBy('nick_key')
    .orderBy('id')
    .limit(IMPACT_SHOWN)
    .execute()
  return entriesOf(
    'USER',
    rows.map((row) => ({ ...row, path: pathOf(kinds.user, { enterprise: row.enterprise_id, id: row.id }) })),
  )
}

async function templatesOf({ caller, db }: ReadContext, scope: number): Promise<Entries> {
  const rows = await db
    .selectFrom('templates')
    .where('scope_id', '=', scope)
    .where(seesEnterprise(caller, 'templates.enterprise_id'))
    .where(seesDatacenter(caller, 'templates.datacenter_id'))
    .select(['id', 'name', 'enterprise_id', 'datacenter_id', counted])
    .orderBy('name_key')
    .orderBy('id')
    .limit(IMPACT_SHOWN)
    .execute()
  return entriesOf(
    'TEMPLATE',
    rows.map((row) => ({
      ...row,
      path: pathOf(kinds.virtualmachinetemplate, {
        enterprise: row.enterprise_id,
        datacenter: row.datacenter_id,
        id: row.id,
      }),
    })),
  )
}
