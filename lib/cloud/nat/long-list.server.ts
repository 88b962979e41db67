import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Visibility } from '#lib/caller/scopes/visibility.server'
import {
  type Counted,
  isAcross,
  type NatScope,
  natScopeToRead,
  totalOfCounted,
} from '#lib/cloud/nat/counts.server'
import {
  blocksBetween,
  type CountRows,
  countBelow,
  countWithin,
  type Total,
} from '#lib/cloud/nat/positions.server'
import { cachedUntilWrite } from '#lib/db/cache.server'
import { changedSince } from '#lib/db/changed.server'
import { type Db, database } from '#lib/db/db.server'
import { numbersIn } from '#lib/db/id-list'
import { CHUNK, filteredList, type ListSpec, ordered, pageOf } from '#lib/db/list.server'
import type { Tables } from '#lib/db/tables.server'
import type { Listing } from '#lib/ground/http/render.server'
import type { KeyBounds } from '#lib/ground/net/addresses'

/* Lists of a million rows. */

type Long = 'nat_ips' | 'nat_rules'

type LongListSpec<Order extends string, TB extends Long> = Omit<
  ListSpec<Order, Tables, TB, { id: number }>,
  'from' | 'seen'
> & {
  place: NatScope
  /** What `from` and `groups` depend on besides the place and the query of the list. */
  visibility?: Visibility
  /** All orders but the order of addresses. No index has the rows in these orders. */
  groups: Groups<Order>
  /** The ids of the filtered rows of the place, unordered. Given candidates, only these are checked. */
  from: (
    db: Db,
    place: NatScope,
    candidates?: readonly number[],
  ) => SelectQueryBuilder<Tables, TB, { id: number }>
  /** The ids of all rows that `has` may match, or undefined if there are too many to list. */
  candidates: () => Promise<readonly number[] | undefined>
  /**
   * If an index serves the filters: the bounds of the addresses, and for the other filters the stored total of their rows, a page of them in the
   * order of addresses, and their number within bounds.
   */
  indexed:
    | {
        bounds: KeyBounds
        counted: Counted
        page: (place: NatScope, window: Window) => Promise<{ id: number }[]>
        count: CountRows
      }
    | undefined
}

/**
 * An order by groups, and by address within each. `key` is a number of the row: the rank itself, or an id that `ranks` gives a `rank` above 0. A
 * row whose id has no rank comes first.
 */
export type Group = { key: RawBuilder<unknown>; ranks?: RawBuilder<unknown> }
export type Groups<Order extends string> = Record<Exclude<Order, 'ip'>, Group>

/** `size` rows in the order of addresses, after `offset` rows within the bounds. */
export type Window = KeyBounds & { size: number; offset: number; ascending: boolean }

/** A window, and the number of rows within its bounds in several datacenters. */
type Found = Window & { rows: number }

/**
 * The ids of the rows in the window. Rows of several datacenters are read by the index of each and then sorted, unless the rows are read by
 * address: `|| ''` keeps planners from using that index.
 */
export const idsIn = <TB extends Long>(
  rows: SelectQueryBuilder<Tables, TB, { id: number }>,
  { table, place }: { table: TB; place: NatScope },
  { size, offset, from, to, ascending }: Window,
) => {
  const key = sql.ref(`${table}.ip_key`)
  const [datacenter, id] = [sql.ref(`${table}.datacenter_id`), sql.ref(`${table}.id`)]
  const columns = isAcross(place) ? [place.byAddress ? key : sql`${key} || ''`, datacenter, id] : [key, id]
  return columns
    .reduce(
      (sorted, column) => sorted.orderBy(column, ascending ? 'asc' : 'desc'),
      rows.where(isBetween(`${table}.ip_key`, { from, to })),
    )
    .limit(size)
    .offset(offset)
}

/** True if the column is within the bounds. */
export const isBetween = (column: string, { from, to }: KeyBounds): RawBuilder<SqlBool> =>
  sql`${from === '' ? sql`1 = 1` : sql`${sql.ref(column)} >= ${from}`} and ${
    to === '' ? sql`1 = 1` : sql`${sql.ref(column)} < ${to}`
  }`

/** One page of a list of a million rows, with its links and exact total. */
export async function longList<Order extends string, TB extends Long>(
  spec: LongListSpec<Order, TB>,
): Promise<Listing> {
  const { paging, orders, place } = spec
  const isIndexed = paging.has === '' && paging.by === Object.keys(orders)[0]
  const indexed = isIndexed ? spec.indexed : undefined
  if (paging.limit > 0 && paging.limit <= CHUNK)
    return indexed ? indexedPage(spec, indexed) : sortedPage(spec)
  if (!indexed) return filteredList({ ...spec, from: (db) => spec.from(db, place), scans: true })
  const { read } = database()
  const total = await rowsOf(place, indexed)
  const whole = await natScopeToRead(read, place, { counted: indexed.counted, rows: total })
  return filteredList({ ...spec, from: (db) => spec.from(db, whole), scans: true, total })
}

/** Up to this offset, skipping rows is cheaper than reading the totals of blocks. */
const NEAR = 256

/** A page in the order of addresses. The totals of blocks give its first row, so every page costs about the same. */
async function indexedPage<Order extends string, TB extends Long>(
  spec: LongListSpec<Order, TB>,
  indexed: Indexed,
): Promise<Listing> {
  const { place, paging, views } = spec
  const { bounds, counted, page, count } = indexed
  const { startwith, size, behind, ...rest } = pageOf(spec, await rowsOf(place, indexed))
  if (size === 0) return { ...rest, collection: [] }
  const total = { place, counted }
  const before = () =>
    bounds.from === '' ? Promise.resolve(0) : countBelow(database().read, total, bounds.from, count)
  const find = database().moment !== undefined ? windowInPast : isAcross(place) ? windowAcross : windowIn
  const { rows, ...window } = await find(total, paging.asc, { startwith, size, behind, bounds, before })
  const ids = await page(await natScopeToRead(database().read, place, { counted, rows }), window)
  return { ...rest, collection: await views(window.ascending === paging.asc ? ids : ids.reverse()) }
}

type Indexed = NonNullable<LongListSpec<string, Long>['indexed']>

/** The exact number of the rows of a list, without counting more of them than two blocks have. */
const rowsOf = (place: NatScope, { bounds, counted, count }: Indexed): Promise<number> =>
  countWithin(database().read, { place, counted }, bounds, count)

type Page = {
  startwith: number
  size: number
  behind: number
  bounds: KeyBounds
  /** The number of rows of the place before the bounds. */
  before: () => Promise<number>
}

/** The window of a page in one datacenter or network, whose index is in the order of addresses. */
async function windowIn(total: Total, asc: boolean, page: Page): Promise<Found> {
  const { startwith, size, behind, bounds } = page
  const offset = Math.min(startwith, behind)
  const near: Found = { size, offset, rows: size, ...bounds, ascending: asc === startwith <= behind }
  if (offset <= NEAR) return near
  const position = (asc ? startwith : behind) + (await page.before())
  const blocks = await blocksBetween(database().read, total, [position, position])
  return blocks
    ? { size, offset: position - blocks.before, rows: size, from: blocks.from, to: '', ascending: true }
    : near
}

/** The window of a page in several datacenters: the blocks that hold it, so that few rows are sorted. */
async function windowAcross(total: Total, asc: boolean, page: Page): Promise<Found> {
  const { startwith, size, behind, bounds } = page
  const offset = asc ? startwith : behind
  const all = startwith + size + behind
  const near: Found = { size, offset, rows: all, ...bounds, ascending: true }
  if (all <= NEAR) return near
  const position = offset + (await page.before())
  const blocks = await blocksBetween(database().read, total, [position, position + size - 1])
  if (!blocks) return near
  const { from, to, before, rows } = blocks
  return { size, offset: position - before, from, to, rows, ascending: true }
}

/** Without totals of blocks rows are skipped, from the nearer end. */
const windowInPast = async (_total: Total, asc: boolean, page: Page): Promise<Found> => {
  const { startwith, size, behind, bounds } = page
  const [offset, rows] = [Math.min(startwith, behind), startwith + size + behind]
  return { size, offset, rows, ...bounds, ascending: asc === startwith <= behind }
}

/** A page in another order, or of a search. All ids are sorted once and cached until the next write. */
async function sortedPage<Order extends string, TB extends Long>(
  spec: LongListSpec<Order, TB>,
): Promise<Listing> {
  const all = await sortedIds(spec)
  const { asc } = spec.paging
  const { startwith, size, behind, ...page } = pageOf(spec, all.length)
  if (size === 0) return { ...page, collection: [] }
  const ids = asc
    ? all.subarray(startwith, startwith + size)
    : all.subarray(behind, behind + size).toReversed()
  return { ...page, collection: await spec.views(Array.from(ids, (id) => ({ id }))) }
}

/** The ids of all filtered rows in ascending order. */
function sortedIds<Order extends string, TB extends Long>(
  spec: LongListSpec<Order, TB>,
): Promise<Float64Array> {
  const { scan } = database()
  const { startwith: _start, limit: _limit, asc: _asc, ...wanted } = spec.paging
  const sorted = (candidates?: readonly number[]) =>
    ordered(spec, spec.from(scan, spec.place, candidates), true)
  return cachedUntilWrite(
    // Kysely takes longer to build the query of a search than the database to answer it.
    spec.visibility
      ? {
          sql: `ids of ${spec.path}`,
          // Rows leave such a list as time goes by.
          parameters: [spec.visibility, spec.place, wanted, wanted.changed && changedSince(wanted.changed)],
        }
      : sorted().compile(),
    (ids) => ids.byteLength,
    async () => {
      const candidates = spec.paging.has === '' ? undefined : await spec.candidates()
      if (candidates?.length === 0) return new Float64Array()
      const group = (spec.groups as Partial<Record<Order, Group>>)[spec.paging.by]
      if (group) return groupedIds(spec, group, candidates)
      const [ids] = await numbersOf(scan, ['id'], sql`${sorted(candidates)}`)
      return ids
    },
  )
}

/**
 * The ids in an order of groups. The rows are read in the order of addresses, which an index has, and grouped here: a lookup of each row's
 * name and a sort by it took the database five times as long.
 */
async function groupedIds<Order extends string, TB extends Long>(
  spec: LongListSpec<Order, TB>,
  { key, ranks }: Group,
  candidates: readonly number[] | undefined,
): Promise<Float64Array> {
  const { read, scan } = database()
  const { place, indexed } = spec
  const counted = candidates ? undefined : indexed?.counted
  const whole = counted
    ? await natScopeToRead(read, place, { counted, rows: await totalOfCounted(read, place, counted) })
    : place
  const [byAddress = spec.paging.by] = Object.keys(spec.orders) as Order[]
  const paging = { ...spec.paging, by: byAddress }
  const found = ordered({ ...spec, paging }, spec.from(scan, whole, candidates), true)
  const [ids, keys] = await numbersOf(scan, ['id', 'rank'], sql`${found.select(key.as('rank'))}`)
  if (!ranks) return inGroups(ids, keys)
  const [known, rankOfKnown] = await numbersOf(scan, ['id', 'rank'], ranks)
  return inGroups(ids, keys, new Map(Array.from(known, (id, index) => [id, rankOfKnown[index] ?? 0])))
}

/** Rows between which other requests run. */
const SLICE = 100_000

/** A counting sort, which keeps the order within each group. */
async function inGroups(
  ids: Float64Array,
  keys: Float64Array,
  ranks?: ReadonlyMap<number, number>,
): Promise<Float64Array> {
  const starts: number[] = []
  const pass = async (visit: (rank: number, id: number) => void) => {
    for (let start = 0; start < ids.length; start += SLICE) {
      if (start > 0) await setImmediate()
      const end = Math.min(start + SLICE, ids.length)
      for (let index = start; index < end; index += 1) {
        const key = keys[index] ?? 0
        visit(ranks ? (ranks.get(key) ?? 0) : key, ids[index] ?? 0)
      }
    }
  }
  await pass((rank) => {
    starts[rank] = (starts[rank] ?? 0) + 1
  })
  let before = 0
  for (const rank of Object.keys(starts).map(Number)) {
    const count = starts[rank] ?? 0
    starts[rank] = before
    before += count
  }
  const sorted = new Float64Array(ids.length)
  await pass((rank, id) => {
    const position = starts[rank] ?? 0
    sorted[position] = id
    starts[rank] = position + 1
  })
  return sorted
}

/**
 * Transfers each column as one text, because transferring a million rows takes longer than finding them. The scan thread parses texts of a
 * `_list`.
 */
async function numbersOf<const Columns extends readonly string[]>(
  db: Db,
  columns: Columns,
  query: RawBuilder<unknown>,
): Promise<{ [Column in keyof Columns]: Float64Array }> {
  const lists = columns.map(
    (column) => sql`string_agg(cast(${sql.ref(column)} as text), ',') as ${sql.ref(`${column}_list`)}`,
  )
  const text = sql<Record<string, Float64Array | string | null>>`
    select ${sql.join(lists)} from (${query}) as sorted`
  const { rows } = await text.execute(db)
  return columns.map((column) => {
    const numbers = rows[0]?.[`${column}_list`] ?? ''
    return typeof numbers === 'string' ? numbersIn(numbers) : numbers
  }) as { [Column in keyof Columns]: Float64Array }
}
