import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Caller, seesEverything } from '#lib/caller/auth/privileges'
import type { Kind } from '#lib/caller/kinds/kind'
import { kindNamed, kinds } from '#lib/caller/kinds/kinds'
import { seesDatacenter, seesEnterprise, seesScope } from '#lib/caller/scopes/visibility.server'
import { chunksOf } from '#lib/db/chunks'
import { type Db, database } from '#lib/db/db.server'
import { textIn } from '#lib/db/dialect.server'
import { paddedIds, statement, together } from '#lib/db/statements.server'
import type { EventPlace, Named } from '#lib/record/events/stored'

type Resource = Pick<Named, 'type' | 'id'>
type Located = Resource & Pick<Named, 'at'>
type PlacedRow = { id: number } & { [Kind in keyof EventPlace]?: number | null }

const placeKinds = ['enterprise', 'datacenter', 'scope'] as const satisfies (keyof EventPlace)[]

const placesOf = (type: string) => kindNamed(type)?.place ?? {}

/** The kind of place that a resource of this kind is itself. */
const ownPlace = (type: string): keyof EventPlace | undefined =>
  placeKinds.find((kind) => placesOf(type)[kind] === 'id')

export const isPlace = ({ type }: Resource): boolean => ownPlace(type) !== undefined

/** Kinds that every caller sees. */
const visibleToAll = new Set(['privilege', 'devicetype'])

/** The current places that decide who sees these resources of one kind, by the same rules as its list. */
function placedRows(db: Db, kind: Kind, ids: number[]): Promise<PlacedRow[]> {
  const some = paddedIds(ids.map((id) => ({ id })))
  return statement(`places of ${kind.name}`, (on, values: { ids: number[] }) => ({
    compile: () => placesIn(kind, values.ids).compile(on),
  }))(db, { ids: some })
}

function placesIn({ table, place = {} }: Kind, ids: number[]): RawBuilder<PlacedRow> {
  const columns = placeKinds.flatMap((kind) => {
    const column = place[kind]
    return column === undefined
      ? []
      : [sql`${sql.ref(column.replace(/^(?!via\.)/, 'thing.'))} as ${sql.ref(kind)}`]
  })
  const [owner, key] = place.via ?? []
  const joined = owner && key ? sql`join ${sql.table(owner)} via on via.id = thing.${sql.ref(key)}` : sql``
  return sql<PlacedRow>`select ${sql.join([sql.ref('thing.id'), ...columns])}
    from ${sql.table(table)} thing ${joined} where thing.id in (${sql.join(ids)})`
}

/** Below the maximum number of parameters of both engines. */
const CHUNK = 10_000

async function inChunks<T>(ids: Iterable<number>, find: (ids: number[]) => Promise<T[]>): Promise<T[]> {
  const found: T[] = []
  for (const some of chunksOf([...new Set(ids)], CHUNK)) found.push(...(await find(some)))
  return found
}

const keyOf = ({ type, id }: Resource): string => `${type}/${id}`

const eventPlaceOf = ({ enterprise, datacenter }: PlacedRow): EventPlace => ({
  ...(enterprise && { enterprise }),
  ...(datacenter && { datacenter }),
})

/** Whether this names all places that a resource of this kind is in. */
export const isWholePlace = (type: string, place: EventPlace): boolean =>
  placeKinds.every((kind) => placesOf(type)[kind] === undefined || place[kind] !== undefined)

/** The current places of these resources, undefined for deleted ones. One query per kind. */
export async function currentPlaces(
  db: Db,
  things: readonly Resource[],
): Promise<(thing: Resource) => EventPlace | undefined> {
  const places = new Map<string, EventPlace>()
  const place = async (type: string, named: readonly Resource[]) => {
    const kind = kindNamed(type)
    if (!kind || ownPlace(type)) return
    const rows = await inChunks(
      named.map(({ id }) => id),
      (ids) => placedRows(db, kind, ids),
    )
    for (const row of rows) places.set(keyOf({ type, id: row.id }), eventPlaceOf(row))
  }
  const byType = Map.groupBy(things, ({ type }) => type)
  await together(...[...byType].map(([type, named]) => place(type, named)))
  return (thing) => {
    const own = ownPlace(thing.type)
    if (own) return { [own]: thing.id }
    return visibleToAll.has(thing.type) ? {} : places.get(keyOf(thing))
  }
}

/** Kinds whose resources can move, so that the place in an old event is not their last one. */
const movingKinds: readonly Kind[] = [kinds.user, kinds.role]

/** As `currentPlaces`, but a deleted user or role has the last place. */
export async function latestPlaces(
  db: Db,
  things: readonly Resource[],
): Promise<(thing: Resource) => EventPlace | undefined> {
  const now = await currentPlaces(db, things)
  const last = new Map<string, EventPlace>()
  for (const { name: type, table } of movingKinds) {
    const gone = things.filter((thing) => thing.type === type && !now(thing))
    for (const { id, enterprise } of await inChunks(
      gone.map(({ id }) => id),
      (ids) => lastEnterprises(db, table, ids),
    ))
      last.set(keyOf({ type, id }), eventPlaceOf({ id, enterprise: Number(enterprise) }))
  }
  return (thing) => now(thing) ?? last.get(keyOf(thing))
}

async function lastEnterprises(db: Db, table: string, ids: number[]): Promise<PlacedRow[]> {
  const enterprise = textIn(database().engine, 'past_rows.content', ['enterprise_id'])
  const { rows } = await sql<PlacedRow>`select id, ${enterprise} as enterprise from past_rows
    where source = ${table} and id in (${sql.join(ids)}) and part = '' and ended = 1 and not exists (
      select 1 from past_rows later where later.source = past_rows.source and later.id = past_rows.id
        and later.part = '' and later.ended = 1 and later.until > past_rows.until)`.execute(db)
  return rows
}

/** Decides which of these resources the caller sees now. A deleted one keeps its last place. The number of queries is bounded. */
export async function visibleThings(
  db: Db,
  caller: Caller,
  things: readonly Located[],
): Promise<(thing: Located) => boolean> {
  if (seesEverything(caller.scope)) return () => true
  const latest = await latestPlaces(db, things)
  const at = (thing: Located) => latest(thing) ?? thing.at
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
export async function isSeenNow(db: Db, caller: Caller, thing: Resource): Promise<boolean> {
  const place = (await currentPlaces(db, [thing]))(thing)
  if (!place) return false
  const isShared = thing.type === TEMPLATE && (await sharedTemplates(db, caller, [thing])).has(thing.id)
  return isShared || (await visiblePlaces(db, caller, [place]))(place)
}

const TEMPLATE = kinds.virtualmachinetemplate.name

/** Templates that a scope shares with an enterprise that the caller sees. */
async function sharedTemplates(db: Db, caller: Caller, things: readonly Resource[]): Promise<Set<number>> {
  const ids = things.flatMap(({ type, id }) => (type === TEMPLATE ? [id] : []))
  const rows = await inChunks(ids, async (some) => {
    const { rows } =
      await sql<PlacedRow>`select templates.id from templates join scopes on scopes.id = templates.scope_id
      where templates.id in (${sql.join(some)}) and ${seesDatacenter(caller, 'templates.datacenter_id')}
        and (scopes.all_enterprises = 1 or exists (select 1 from scope_entities shared
          where shared.scope_id = scopes.id and ${seesEnterprise(caller, 'shared.enterprise_id')}))`.execute(
        db,
      )
    return rows
  })
  return new Set(rows.map(({ id }) => id))
}

async function visiblePlaces(
  db: Db,
  caller: Caller,
  places: EventPlace[],
): Promise<(place: EventPlace) => boolean> {
  const visible = async (kind: keyof EventPlace, condition: RawBuilder<SqlBool>) => {
    const rows = await inChunks(
      places.flatMap((place) => place[kind] ?? []),
      async (ids) =>
        (
          await sql<PlacedRow>`select id from ${sql.table(`${kind}s`)} where id in (${sql.join(ids)}) and ${condition}`.execute(
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
    placeKinds.every((kind) => {
      const id = place[kind]
      return id === undefined || seen[kind].has(id)
    })
}
