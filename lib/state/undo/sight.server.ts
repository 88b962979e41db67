import { seesEverything } from '#lib/caller/auth/privileges'
import { inPast } from '#lib/db/db.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import { visibleThings } from '#lib/record/events/places.server'
import type { ChangedRow } from '#lib/state/undo/changed.server'
import { presentRows } from '#lib/state/undo/present.server'
import { isResource, type Row, resourceKindOf, resourceSources, type Source } from '#lib/state/undo/resources'
import type { Undoing } from '#lib/state/undo/wishes.server'

/*
 * Documents leave out hidden resources, so two of them can be equal although the rows are not. Only callers who see everything that an
 * event changed can undo it.
 */

type SeenResource = { type: string; id: number }

/** The kind of resource in a column. NAT IPs and private IPs are visible with the resource that they belong to. */
const references: Record<string, string> = {
  datacenter_id: 'datacenter',
  default_scope_id: 'scope',
  device_id: 'device',
  enterprise_id: 'enterprise',
  nat_network_id: 'natnetwork',
  parent_id: 'scope',
  role_id: 'role',
  scope_id: 'scope',
  template_id: 'virtualmachinetemplate',
  user_id: 'user',
  virtual_appliance_id: 'virtualappliance',
  virtual_datacenter_id: 'virtualdatacenter',
  virtual_machine_id: 'virtualmachine',
}

const referred = Object.keys(references)

/** The resource of the row itself, and the resources in these columns. */
function thingsIn(
  { source, id }: ChangedRow,
  row: Row | null | undefined,
  columns: readonly string[],
): SeenResource[] {
  if (!row) return []
  const own = seenKind(source)
  return [
    ...(own ? [{ type: own, id }] : []),
    ...columns.flatMap((column) => {
      const type = references[column]
      const to = row[column]
      return type && to !== undefined && to !== null ? [{ type, id: Number(to) }] : []
    }),
  ]
}

/** Where rows without a kind are that an event can change. */
const places: Partial<Record<Source, string>> = {
  nat_ips: 'datacenter_id',
  private_ips: 'virtual_datacenter_id',
}

/** The kind of rows that have a visibility of their own. Other rows are part of the resource that they refer to. */
const seenKind = (source: Source): string | undefined =>
  places[source] || !isResource(source) ? undefined : resourceKindOf(source).name

/** The columns that the event changed: all, if it made or removed the row. A default SNAT is one of its virtual datacenter. */
function columnsOf({ source, before, after }: ChangedRow): string[] {
  if (!before || !after) return referred
  const differs = (name: string) => before[name] !== after[name]
  return referred.filter(
    (name) =>
      differs(name) ||
      name === places[source] ||
      (name === 'virtual_datacenter_id' && differs('default_snat')),
  )
}

type Seeing = Pick<Undoing, 'caller' | 'db'>

/** The resources of the changed rows now, and the entities of scopes that the event created. */
async function presentOf({ db }: Seeing, rows: readonly ChangedRow[]): Promise<SeenResource[]> {
  const things: SeenResource[] = []
  for (const [source, changed] of Map.groupBy(rows, ({ source }) => source)) {
    const byId = new Map(changed.map((row) => [row.id, row]))
    for (const { id, row } of await presentRows(db, source, [...byId.keys()])) {
      const was = byId.get(id)
      if (was) things.push(...thingsIn(was, row, columnsOf(was)))
    }
  }
  const made = rows.flatMap(({ source, id, before }) => (source === 'scopes' && !before ? [id] : []))
  if (made.length === 0) return things
  const entities = await db.selectFrom('scope_entities').where('scope_id', 'in', made).selectAll().execute()
  const whole = { source: 'scope_entities' as const, part: '', before: null, after: null }
  return [...things, ...entities.flatMap((row) => thingsIn({ ...whole, id: row.id }, row, referred))]
}

const keyOf = ({ type, id }: SeenResource): string => `${type} ${id}`

const distinct = (things: readonly SeenResource[]): SeenResource[] => [
  ...new Map(things.map((thing) => [keyOf(thing), thing])).values(),
]

/** Those of the resources that exist now. */
async function existing({ db }: Seeing, things: readonly SeenResource[]): Promise<SeenResource[]> {
  const found: SeenResource[] = []
  for (const source of resourceSources) {
    const kind = seenKind(source)
    if (!kind) continue
    const ids = things.flatMap(({ type, id }) => (type === kind ? [id] : []))
    for (const { id } of await presentRows(db, source, ids)) found.push({ type: kind, id })
  }
  return found
}

const hidden = () => new ApiError(fault('UNDO-1', 'The event changed something that you do not see'))

/**
 * Throws UNDO-1 unless the caller sees everything that the event changed: before the event, after it, and now. A deleted resource keeps its
 * last place.
 */
export async function requireSight(context: Undoing, rows: readonly ChangedRow[]): Promise<void> {
  const { caller, db, found } = context
  if (seesEverything(caller.scope)) return
  const was = distinct(rows.flatMap((row) => thingsIn(row, row.before, columnsOf(row))))
  const left = distinct(rows.flatMap((row) => thingsIn(row, row.after, columnsOf(row))))
  const all = distinct([...was, ...left, ...(await presentOf(context, rows))])
  const sees = await visibleThings(db, caller, all)
  const unseen = all.filter((thing) => !sees(thing))
  if ((await existing(context, unseen)).length > 0) throw hidden()
  const moments = { before: (found.moments[0] ?? 0) - 1, after: found.moments.at(-1) ?? 0 }
  const gone = new Set(unseen.map(keyOf))
  const past = { [moments.before]: was, [moments.after]: left }
  for (const [moment, things] of Object.entries(past)) {
    const then = things.filter((thing) => gone.has(keyOf(thing)))
    const saw = await inPast(Number(moment), (db) => visibleThings(db, caller, then))
    if (!then.every(saw)) throw hidden()
  }
}

/**
 * Throws UNDO-1 unless everything refers to the same resources as before the event. Operations replace references that their caller may not
 * grant: a user without a scope of their own gets the caller's.
 */
export async function requireBack({ db }: Seeing, rows: readonly ChangedRow[]): Promise<void> {
  for (const [source, changed] of Map.groupBy(rows, ({ source }) => source)) {
    if (!seenKind(source)) continue
    const now = new Map((await presentRows(db, source, idsOf(changed))).map(({ id, row }) => [id, row]))
    for (const row of changed) {
      const is = now.get(row.id)
      const differs = columnsOf(row).some((name) => (row.before?.[name] ?? null) !== (is?.[name] ?? null))
      if (differs) throw new ApiError(fault('UNDO-1', 'It would not be as it was before the event'))
    }
  }
}

const idsOf = (rows: readonly ChangedRow[]): number[] => rows.map(({ id }) => id)
