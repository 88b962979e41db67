import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Caller, seesEverything } from '#lib/auth/privileges'
import type { Db } from '#lib/db/db.server'
import type { Named, Place } from '#lib/events/stored'
import { seesDatacenter, seesEnterprise, seesScope } from '#lib/scopes/visibility.server'

type Thing = Pick<Named, 'type' | 'id'>
type Located = Thing & Pick<Named, 'at'>
type Row = { id: number; enterprise?: number | null; datacenter?: number | null }
type Find = (db: Db, ids: number[]) => Promise<Row[]>

/** Kinds whose own id is a place. */
const placeKinds = {
  enterprise: 'enterprise',
  datacenter: 'datacenter',
  location: 'datacenter',
  scope: 'scope',
} as const satisfies Record<string, keyof Place>

export const isPlace = ({ type }: Thing): boolean => Object.hasOwn(placeKinds, type)

/** Kinds that every caller sees. */
const visibleToAll = new Set(['privilege', 'devicetype'])

/** The current places that decide who sees a resource of each kind, by the same rules as its list. */
const placeQueries: Record<string, Find> = {
  role: (db, ids) =>
    db.selectFrom('roles').where('id', 'in', ids).select(['id', 'enterprise_id as enterprise']).execute(),
  user: (db, ids) =>
    db.selectFrom('users').where('id', 'in', ids).select(['id', 'enterprise_id as enterprise']).execute(),
  accesstoken: (db, ids) => ofUser(db, 'access_tokens', ids),
  application: (db, ids) => ofUser(db, 'applications', ids),
  device: (db, ids) =>
    db.selectFrom('devices').where('id', 'in', ids).select(['id', 'datacenter_id as datacenter']).execute(),
  natnetwork: (db, ids) =>
    db
      .selectFrom('nat_networks')
      .where('id', 'in', ids)
      .select(['id', 'datacenter_id as datacenter'])
      .execute(),
  natip: (db, ids) =>
    db.selectFrom('nat_ips').where('id', 'in', ids).select(['id', 'datacenter_id as datacenter']).execute(),
  natrule: (db, ids) =>
    db
      .selectFrom('nat_rules')
      .innerJoin('virtual_machines', 'virtual_machines.id', 'nat_rules.virtual_machine_id')
      .where('nat_rules.id', 'in', ids)
      .select([
        'nat_rules.id',
        'nat_rules.datacenter_id as datacenter',
        'virtual_machines.enterprise_id as enterprise',
      ])
      .execute(),
  virtualdatacenter: (db, ids) =>
    db
      .selectFrom('virtual_datacenters')
      .where('id', 'in', ids)
      .select(['id', 'datacenter_id as datacenter', 'enterprise_id as enterprise'])
      .execute(),
  virtualappliance: (db, ids) => inVirtualDatacenter(db, 'virtual_appliances', ids),
  virtualmachine: (db, ids) => inVirtualDatacenter(db, 'virtual_machines', ids),
  privateip: (db, ids) => inVirtualDatacenter(db, 'private_ips', ids),
  virtualmachinetemplate: (db, ids) =>
    db
      .selectFrom('templates')
      .where('id', 'in', ids)
      .select(['id', 'datacenter_id as datacenter', 'enterprise_id as enterprise'])
      .execute(),
  // In no place: all readers of webhooks see all of them.
  webhook: (db, ids) => db.selectFrom('webhooks').where('id', 'in', ids).select('id').execute(),
  webhookdelivery: (db, ids) =>
    db.selectFrom('webhook_deliveries').where('id', 'in', ids).select('id').execute(),
}

async function ofUser(db: Db, table: 'access_tokens' | 'applications', ids: number[]): Promise<Row[]> {
  const { rows } = await sql<Row>`select thing.id, users.enterprise_id as enterprise
    from ${sql.table(table)} thing join users on users.id = thing.user_id
    where thing.id in (${sql.join(ids)})`.execute(db)
  return rows
}

async function inVirtualDatacenter(
  db: Db,
  table: 'virtual_appliances' | 'virtual_machines' | 'private_ips',
  ids: number[],
): Promise<Row[]> {
  const { rows } =
    await sql<Row>`select thing.id, center.datacenter_id as datacenter, center.enterprise_id as enterprise
    from ${sql.table(table)} thing join virtual_datacenters center on center.id = thing.virtual_datacenter_id
    where thing.id in (${sql.join(ids)})`.execute(db)
  return rows
}

/** Below the maximum number of parameters of both engines. */
const CHUNK = 10_000

async function inChunks<T>(ids: Iterable<number>, find: (ids: number[]) => Promise<T[]>): Promise<T[]> {
  const all = [...new Set(ids)]
  const found: T[] = []
  for (let start = 0; start < all.length; start += CHUNK)
    found.push(...(await find(all.slice(start, start + CHUNK))))
  return found
}

const keyOf = ({ type, id }: Thing): string => `${type}/${id}`

const placeOf = ({ enterprise, datacenter }: Row): Place => ({
  ...(enterprise && { enterprise }),
  ...(datacenter && { datacenter }),
})

/** The current places of these resources, undefined for deleted ones. One query per kind. */
export async function currentPlaces(
  db: Db,
  things: readonly Thing[],
): Promise<(thing: Thing) => Place | undefined> {
  const places = new Map<string, Place>()
  for (const [type, named] of Map.groupBy(things, ({ type }) => type)) {
    const find = placeQueries[type]
    if (!find) continue
    const rows = await inChunks(
      named.map(({ id }) => id),
      (ids) => find(db, ids),
    )
    for (const row of rows) places.set(keyOf({ type, id: row.id }), placeOf(row))
  }
  return (thing) => {
    if (isPlace(thing)) return { [placeKinds[thing.type as keyof typeof placeKinds]]: thing.id }
    return visibleToAll.has(thing.type) ? {} : places.get(keyOf(thing))
  }
}

/** Decides which of these resources the caller sees now. A deleted one counts where it last was. The number of queries is bounded. */
export async function visibleThings(
  db: Db,
  caller: Caller,
  things: readonly Located[],
): Promise<(thing: Located) => boolean> {
  if (seesEverything(caller.scope)) return () => true
  const now = await currentPlaces(db, things)
  const at = (thing: Located) => now(thing) ?? thing.at
  const visible = await visiblePlaces(
    db,
    caller,
    things.flatMap((thing) => at(thing) ?? []),
  )
  const shared = await sharedTemplates(db, caller, things)
  return (thing) => {
    const place = at(thing)
    return (place !== undefined && visible(place)) || (thing.type === TEMPLATE && shared.has(thing.id))
  }
}

/** Whether the resource exists and the caller sees it. */
export async function isSeenNow(db: Db, caller: Caller, thing: Thing): Promise<boolean> {
  const place = (await currentPlaces(db, [thing]))(thing)
  if (!place) return false
  const isShared = thing.type === TEMPLATE && (await sharedTemplates(db, caller, [thing])).has(thing.id)
  return isShared || (await visiblePlaces(db, caller, [place]))(place)
}

const TEMPLATE = 'virtualmachinetemplate'

/** Templates that a scope shares with an enterprise that the caller sees. */
async function sharedTemplates(db: Db, caller: Caller, things: readonly Thing[]): Promise<Set<number>> {
  const ids = things.flatMap(({ type, id }) => (type === TEMPLATE ? [id] : []))
  const rows = await inChunks(ids, async (some) => {
    const { rows } =
      await sql<Row>`select templates.id from templates join scopes on scopes.id = templates.scope_id
      where templates.id in (${sql.join(some)}) and ${seesDatacenter(caller, 'templates.datacenter_id')}
        and (scopes.all_enterprises = 1 or exists (select 1 from scope_entities shared
          where shared.scope_id = scopes.id and ${seesEnterprise(caller, 'shared.enterprise_id')}))`.execute(
        db,
      )
    return rows
  })
  return new Set(rows.map(({ id }) => id))
}

async function visiblePlaces(db: Db, caller: Caller, places: Place[]): Promise<(place: Place) => boolean> {
  const visible = async (kind: keyof Place, condition: RawBuilder<SqlBool>) => {
    const rows = await inChunks(
      places.flatMap((place) => place[kind] ?? []),
      async (ids) =>
        (
          await sql<Row>`select id from ${sql.table(`${kind}s`)} where id in (${sql.join(ids)}) and ${condition}`.execute(
            db,
          )
        ).rows,
    )
    return new Set(rows.map(({ id }) => id))
  }
  const seen = {
    enterprise: await visible('enterprise', seesEnterprise(caller, 'id')),
    datacenter: await visible('datacenter', seesDatacenter(caller, 'id')),
    scope: await visible('scope', seesScope(caller, 'scopes.id')),
  }
  return (place) =>
    (['enterprise', 'datacenter', 'scope'] as const).every((kind) => {
      const id = place[kind]
      return id === undefined || seen[kind].has(id)
    })
}
