import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { cachedUntilWrite } from '#lib/db/cache.server'
import { type Db, database } from '#lib/db/db.server'
import { numbersIn } from '#lib/db/id-list'
import { CHUNK, type ListSpec, list, ordered, pageOf } from '#lib/db/list.server'
import type { Tables } from '#lib/db/tables.server'
import type { Listing } from '#lib/http/render.server'
import { type Counted, type Place, totalOfCounted } from '#lib/nat/counts.server'
import { narrowBlockAt } from '#lib/nat/positions.server'

/* Lists of a million rows. */

type Long = 'nat_ips' | 'nat_rules'

type LongListSpec<Order extends string, TB extends Long> = Omit<
  ListSpec<Order, Tables, TB, { id: number }>,
  'from'
> & {
  place: Place
  /** The ids of the filtered rows, unordered. Given candidates, only these are checked. */
  from: (db: Db, candidates?: readonly number[]) => SelectQueryBuilder<Tables, TB, { id: number }>
  /** The ids of all rows that `has` may match, or undefined if there are too many to list. */
  candidates: () => Promise<readonly number[] | undefined>
  /** If an index serves the filters: the stored total of the filtered rows, and a page of them in the order of addresses. */
  indexed: { counted: Counted; page: (window: Window) => Promise<{ id: number }[]> } | undefined
}

/** `size` rows in the order of addresses, after `offset` rows. `block`, if not empty, is the block where the count starts. */
export type Window = { size: number; offset: number; block: string; ascending: boolean }

/** The ids of the rows that the window shows. */
export const idsIn = <TB extends Long>(
  rows: SelectQueryBuilder<Tables, TB, { id: number }>,
  table: TB,
  { size, offset, block, ascending }: Window,
) =>
  ['ip_key', 'id']
    .reduce(
      (sorted, column) => sorted.orderBy(sql.ref(`${table}.${column}`), ascending ? 'asc' : 'desc'),
      rows.$if(block !== '', (all) => all.where(sql<SqlBool>`${sql.ref(`${table}.ip_key`)} >= ${block}`)),
    )
    .limit(size)
    .offset(offset)

/** One page of a list of a million rows, with its links and exact total. */
export async function longList<Order extends string, TB extends Long>(
  spec: LongListSpec<Order, TB>,
): Promise<Listing> {
  const { paging, orders, indexed } = spec
  if (paging.limit === 0 || paging.limit > CHUNK) return list({ ...spec, scans: true })
  const isIndexed = paging.has === '' && paging.by === Object.keys(orders)[0]
  return indexed && isIndexed ? indexedPage(spec, indexed) : sortedPage(spec)
}

/** Up to this offset, skipping rows is cheaper than reading the totals of blocks. */
const NEAR = 256

/** A page in the order of addresses. The totals of blocks say where it begins, so every page costs about the same. */
async function indexedPage<Order extends string, TB extends Long>(
  spec: LongListSpec<Order, TB>,
  { counted, page }: NonNullable<LongListSpec<Order, TB>['indexed']>,
): Promise<Listing> {
  const { place, paging, views } = spec
  const { read } = database()
  const { startwith, size, behind, ...rest } = pageOf(spec, await totalOfCounted(read, place, counted))
  if (size === 0) return { ...rest, collection: [] }
  const offset = Math.min(startwith, behind)
  const position = paging.asc ? startwith : behind
  const block = offset > NEAR ? await narrowBlockAt(read, { place, counted }, position) : undefined
  const ascending = block ? true : paging.asc === startwith <= behind
  const start = block ? { block: block.block, offset: position - block.before } : { block: '', offset }
  const ids = await page({ size, ascending, ...start })
  return { ...rest, collection: await views(ascending === paging.asc ? ids : ids.reverse()) }
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
  const sorted = (candidates?: readonly number[]) => ordered(spec, spec.from(scan, candidates), true)
  return cachedUntilWrite(
    sorted().compile(),
    (ids) => ids.byteLength,
    async () => {
      const candidates = spec.paging.has === '' ? undefined : await spec.candidates()
      return candidates?.length === 0 ? new Float64Array() : idsOf(scan, sql`${sorted(candidates)}`)
    },
  )
}

/** Transfers the ids as one text, because transferring a million rows takes longer than finding them. The scan thread parses `id_list`. */
async function idsOf(db: Db, query: RawBuilder<unknown>): Promise<Float64Array> {
  const text = sql<{ id_list: Float64Array | string | null }>`
    select string_agg(cast(id as text), ',') as id_list from (${query}) as sorted`
  const { rows } = await text.execute(db)
  const ids = rows[0]?.id_list ?? ''
  return typeof ids === 'string' ? numbersIn(ids) : ids
}
