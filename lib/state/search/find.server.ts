import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { type Facts, type Kind, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import {
  placeColumn,
  seesDatacenter,
  seesEnterprise,
  seesKind,
  seesScope,
} from '#lib/caller/scopes/visibility.server'
import { seesNotes } from '#lib/cloud/nat/ip-notes.server'
import { ipViews } from '#lib/cloud/nat/ip-views.server'
import { isOverlapping } from '#lib/cloud/nat/rule-filters.server'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { ruleViews } from '#lib/cloud/nat/rules.server'
import { fold } from '#lib/db/fold'
import { hasText } from '#lib/db/list.server'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { addressKeyOf } from '#lib/ground/net/addresses'
import { endpointText, portsText } from '#lib/ground/net/endpoints'
import { addressRanges } from '#lib/state/search/address-ranges'
import type { SearchType } from '#lib/state/search/search.schema'

type Wanted = { text: string; limit: number }

type NamedKind = Kind & Required<Pick<Kind, 'found' | 'place'>>

/** A hit: its path, and a detail that distinguishes hits with similar names. */
export type Found = {
  id: number
  name: string
  path: string
  detail?: string | null
  datacenter?: number | undefined
  enterprise?: number | null | undefined
  /** The NAT network of an address. */
  network?: { path: string; name: string }
}

/** Finds the visible items of one kind; the caller's privilege to list it is checked before. */
export function find(type: SearchType, context: ReadContext, wanted: Wanted): Promise<Found[]> {
  if (type === 'natip') return natIps(context, wanted)
  return type === 'natrule' ? natRules(context, wanted) : byName(kinds[type], context, wanted)
}

/** A suffix for an upper bound: prefix + this sorts after every text that starts with the prefix. */
const END = '\u{10FFFF}'

const any = (conditions: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  sql`(${sql.join(conditions, sql` or `)})`

/** What distinguishes hits with similar names: columns of the row, or the name of another row that it names. */
const detailOf = (caller: Caller, { table, found: { detail } }: NamedKind) => {
  if (detail === undefined) return { column: sql`null`, joined: sql`` }
  if (!('of' in detail)) {
    const columns = detail.map((column) => sql.ref(`${table}.${column}`))
    return { column: sql`trim(${sql.join(columns, sql` || ' ' || `)})`, joined: sql`` }
  }
  const [owner, key] = detail.of
  const seen = owner === kinds.scope.table ? sql`and ${seesScope(caller, 'owner.id')}` : sql``
  const joined = sql`left join ${sql.table(owner)} owner on owner.id = ${sql.ref(`${table}.${key}`)} ${seen}`
  return { column: sql`owner.name`, joined }
}

/** The row that decides who sees a row that belongs to it. */
const viaOf = ({ table, place: { via } }: NamedKind) =>
  via ? sql`join ${sql.table(via[0])} via on via.id = ${sql.ref(`${table}.${via[1]}`)}` : sql``

/** Rows whose name starts with the text, then rows that contain it, up to the limit. */
async function byName(
  kind: NamedKind,
  { caller, db }: ReadContext,
  { text, limit }: Wanted,
): Promise<Found[]> {
  const { table, place } = kind
  const { key, name = 'name', alike = [], within = [key] } = kind.found
  const of = (column: string) => sql.ref(`${table}.${column}`)
  const { column, joined } = detailOf(caller, kind)
  const placed = (['enterprise', 'datacenter'] as const).flatMap((where) =>
    place[where] === undefined ? [] : [sql`${sql.ref(placeColumn(kind, place[where]))} as ${sql.ref(where)}`],
  )
  const named = Object.entries(kind.found.ids ?? {}).map(
    ([id, column]) => sql`${of(column)} as ${sql.ref(id)}`,
  )
  const columns = sql.join([
    sql`${of('id')} as id, ${of(name)} as name, ${column} as detail`,
    ...placed,
    ...named,
  ])
  const take = async (condition: RawBuilder<SqlBool>, most: number) => {
    const { rows } = await sql<
      Omit<Found, 'path'>
    >`select ${columns} from ${sql.table(table)} ${viaOf(kind)} ${joined}
      where ${seesKind(caller, kind)} and ${condition} order by ${of(key)}, ${of('id')} limit ${most}`.execute(
      db,
    )
    return rows.map((row) => ({ ...row, path: pathOf<Facts>(kind, row) }))
  }
  const start = fold(text)
  const begins = any(
    [key, ...alike].map((column) => sql`(${of(column)} >= ${start} and ${of(column)} < ${start + END})`),
  )
  const first = await take(begins, limit)
  if (first.length === limit) return first
  const contains = any(
    within.map((column) =>
      column === 'tags_key' ? hasTag(`${table}.tags_key`, text) : hasText(`${table}.${column}`, text),
    ),
  )
  return [...first, ...(await take(sql`${contains} and not ${begins}`, limit - first.length))]
}

/** The column is JSON. Its brackets and commas are in no tag. */
const hasTag = (column: string, text: string): RawBuilder<SqlBool> =>
  /^(\[\]?|\]|,)$/.test(text) ? sql`1 = 0` : hasText(column, JSON.stringify(text).slice(1, -1))

/** By address or by the beginning of a tag, with an index: a scan of a million texts would be too slow. */
async function natIps(context: ReadContext, { text, limit }: Wanted): Promise<Found[]> {
  const { caller, db } = context
  const ids: { id: number }[] = []
  for (const { first, last } of addressRanges(text)) {
    if (ids.length === limit) break
    const rows = await db
      .selectFrom('nat_ips')
      .where('ip_key', '>=', first)
      .where('ip_key', '<=', last)
      .where(seesDatacenter(caller, 'datacenter_id'))
      .select('id')
      .orderBy('ip_key')
      .orderBy('datacenter_id')
      .orderBy('id')
      .limit(limit - ids.length)
      .execute()
    ids.push(...rows)
  }
  if (ids.length < limit) ids.push(...(await taggedIps(context, { text, limit: limit - ids.length })))
  const views = ids.length === 0 ? [] : await ipViews(context, ids)
  return views.map((view) => {
    const datacenter = idOfLink(linkOf(view, 'datacenter'))
    const network = { path: linkOf(view, 'natnetwork')?.href ?? '', name: view.networkName }
    return {
      id: view.id,
      name: view.ip,
      detail: view.networkName,
      path: `${network.path}/ips/${view.id}`,
      network,
      datacenter,
      enterprise: idOfLink(linkOf(view, 'enterprise')),
    }
  })
}

const taggedIps = ({ caller, db }: ReadContext, { text, limit }: Wanted): Promise<{ id: number }[]> =>
  db
    .selectFrom('tags')
    .innerJoin('nat_ips', 'nat_ips.id', 'tags.resource_id')
    .where('tags.label', '>=', `nat_ips ${fold(text)}`)
    .where('tags.label', '<', `nat_ips ${fold(text)}${END}`)
    .where(seesDatacenter(caller, 'nat_ips.datacenter_id'))
    .where(seesNotes(caller))
    .select('nat_ips.id')
    .distinct()
    .orderBy('nat_ips.id')
    .limit(limit)
    .execute()

/** `203.0.113.7`, or with the port that a rule translates: `203.0.113.7:443`, `[2001:db8::7]:443`. */
function placeIn(text: string): { key: string; port: number | undefined } | undefined {
  const [, six, four, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
  const key = addressKeyOf(six ?? four ?? text)
  return key === undefined ? undefined : { key, port: port === undefined ? undefined : Number(port) }
}

/** By the whole NAT IP, whose rules are few, or by the beginning of a tag. Only rules of machines that the caller sees have a path. */
async function natRules({ caller, db }: ReadContext, { text, limit }: Wanted): Promise<Found[]> {
  const seen = db
    .selectFrom('nat_rules')
    .innerJoin('virtual_machines', 'virtual_machines.id', 'nat_rules.virtual_machine_id')
    .where(seesDatacenter(caller, 'nat_rules.datacenter_id'))
    .where(seesEnterprise(caller, 'virtual_machines.enterprise_id'))
    .select('nat_rules.id')
    .limit(limit)
  const place = placeIn(text)
  const ids = place
    ? await seen
        .where('nat_rules.ip_key', '=', place.key)
        .where(isOverlapping(place.port === undefined ? undefined : `ANY:${place.port}`))
        .orderBy('nat_rules.snat')
        .orderBy(sql`coalesce(nat_rules.original_port, 0)`)
        .orderBy('nat_rules.id')
        .execute()
    : await seen
        .innerJoin('tags', 'tags.resource_id', 'nat_rules.id')
        .where('tags.label', '>=', `nat_rules ${fold(text)}`)
        .where('tags.label', '<', `nat_rules ${fold(text)}${END}`)
        .distinct()
        .orderBy('nat_rules.id')
        .execute()
  const views = ids.length === 0 ? [] : await ruleViews({ caller, db }, ids)
  return views.map((view) => {
    const [outer, inner] = view.snat ? ['translated', 'original'] : ['original', 'translated']
    const titleOf = (rel = '') => linkOf(view, rel)?.title ?? ''
    return {
      id: view.id,
      name: ruleName(view, titleOf(outer)),
      detail: `${titleOf('virtualmachine')} ${titleOf(inner)}`,
      path: linkOf(view, 'self')?.href ?? '',
      datacenter: idOfLink(linkOf(view, 'datacenter')),
    }
  })
}

/** TCP 203.0.113.7:2000-2999, or SNAT 203.0.113.7 */
function ruleName({ protocol = 'ANY', snat, ...ends }: NatRuleDocument, natIp: string): string {
  const ports = portsText(ends.originalPort, ends.originalPortEnd)
  return `${snat && ports === '' ? 'SNAT' : protocol} ${endpointText(natIp, ports)}`
}
