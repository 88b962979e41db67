import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { runCompiled } from '#lib/db/compiled.server'
import { type Db, database } from '#lib/db/db.server'
import { containing } from '#lib/db/fold'
import { orderedIds } from '#lib/db/ordered-ids.server'
import { clampStart, type Paging, pageLinks } from '#lib/http/paging'
import type { Listing } from '#lib/http/render.server'

/** Whether the folded column contains the text, literally; an empty text is everywhere. */
export const hasText = (column: Column, text: string): RawBuilder<SqlBool> =>
  text === '' ? sql`1 = 1` : sql`${toSql(column)} like ${containing(text)} escape '\\'`

/** A column by its name, or an expression. */
export type Column = string | RawBuilder<unknown>

const toSql = (column: Column): RawBuilder<unknown> => (typeof column === 'string' ? sql.ref(column) : column)

/** The rows in the order of the ids. */
export function inOrderOf<Row extends { id: number }>(
  ids: readonly { id: number }[],
  rows: readonly Row[],
): Row[] {
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap(({ id }) => found.get(id) ?? [])
}

const STREAM_CHUNK = 500

export type Near = { key: string; before: number }

export type ListSpec<Order extends string, DB, TB extends keyof DB, Row> = {
  /** The filtered rows, unordered. Where there may be a million, their ids alone: the views fetch the rest of a page. */
  from: (db: Db) => SelectQueryBuilder<DB, TB, Row>
  /** For each order its columns, none of them null; the first order is the one that an index serves. */
  orders: Record<Order, readonly Column[]>
  /** The column that breaks ties. */
  id: string
  paging: Paging<Order>
  /** The exact total where it is known better than by counting. */
  total?: () => Promise<number>
  /** There may be a million to count. */
  counts?: boolean
  /** For the first order, ascending: a key at or before the row at this position, and how many rows go before that key. */
  near?: ((position: number) => Promise<Near | undefined>) | undefined
  /** Asked for one row or more. */
  views: (rows: Row[]) => object[] | Promise<object[]>
  path: string
  /** For rows that are ids alone, and a `from` that depends on path and filters and on this: the page's query is built once. */
  key?: string
  filters?: Record<string, string | number | boolean | undefined>
}

/**
 * One page of a list with its links and exact total. What may scan or stream runs beside the thread that answers;
 * a page in the second half is read from the end, so the last page costs what the first does.
 */
export async function list<Order extends string, DB, TB extends keyof DB, Row>(
  spec: ListSpec<Order, DB, TB, Row>,
): Promise<Listing> {
  const { paging, orders, path, filters } = spec
  if (spec.key !== undefined && mayScan(spec) && paging.limit > 0) return pieceOf(spec)
  const { read, scan, stream } = database()
  const query = () => spec.from(mayScan(spec) ? scan : read)
  const total = await (spec.total?.() ?? countOf(query()))
  const startwith = clampStart(paging.startwith, paging.limit, total)
  const links = pageLinks(path, { ...paging, startwith }, total, filters)
  if (paging.limit === 0) {
    const rows = ordered(spec, spec.from(stream), paging.asc)
      .offset(startwith)
      .limit(Math.max(total - startwith, 1))
    return { links, totalSize: total, collection: chunks(rows.stream(STREAM_CHUNK), spec.views) }
  }
  const size = Math.max(Math.min(paging.limit, total - startwith), 0)
  const behind = total - startwith - size
  const fromEnd = behind < startwith
  const offset = Math.min(startwith, behind)
  const near = offset > NEARBY ? await nearOf(spec, paging.asc ? startwith : behind) : undefined
  const isReversed = near ? !paging.asc : fromEnd
  const ascending = paging.asc !== isReversed
  const values = near
    ? { size, from: near.key, offset: (paging.asc ? startwith : behind) - near.before }
    : { size, from: '', offset }
  const build = (given: typeof values) => {
    const rows = near ? query().where(toSql(orders[paging.by][0] ?? spec.id), '>=', given.from) : query()
    return ordered(spec, rows, ascending).limit(given.size).offset(given.offset)
  }
  const rows = (size > 0 ? await run(spec, values, `${near !== undefined} ${ascending}`, build) : []) as Row[]
  const collection = await viewsOf(spec, isReversed ? rows.reverse() : rows)
  return { links, totalSize: total, collection }
}

const ordered = <Order extends string, DB, TB extends keyof DB, Row>(
  { orders, id, paging }: ListSpec<Order, DB, TB, Row>,
  from: SelectQueryBuilder<DB, TB, Row>,
  ascending: boolean,
): SelectQueryBuilder<DB, TB, Row> =>
  [...orders[paging.by], id].reduce(
    (sorted, column) => sorted.orderBy(toSql(column), ascending ? 'asc' : 'desc'),
    from,
  )

const nameOf = <Order extends string, DB, TB extends keyof DB, Row>({
  key,
  path,
  filters,
  paging,
}: ListSpec<Order, DB, TB, Row>): string => [key, path, JSON.stringify(filters ?? {}), paging.by].join(' ')

/** A page of what no index serves: its ids are a piece of all. */
async function pieceOf<Order extends string, DB, TB extends keyof DB, Row>(
  spec: ListSpec<Order, DB, TB, Row>,
): Promise<Listing> {
  const { paging, path, filters } = spec
  const all = await orderedIds(
    `${nameOf(spec)} ${paging.has}`,
    () => sql`${ordered(spec, spec.from(database().scan), true)}`,
  )
  const startwith = clampStart(paging.startwith, paging.limit, all.length)
  const end = Math.min(startwith + paging.limit, all.length)
  const piece = paging.asc
    ? all.subarray(startwith, end)
    : all.subarray(all.length - end, all.length - startwith).toReversed()
  const rows = Array.from(piece, (id) => ({ id })) as Row[]
  return {
    links: pageLinks(path, { ...paging, startwith }, all.length, filters),
    totalSize: all.length,
    collection: await viewsOf(spec, rows),
  }
}

async function run<Order extends string, DB, TB extends keyof DB, Row, Values extends object>(
  spec: ListSpec<Order, DB, TB, Row>,
  values: Values,
  shape: string,
  build: (values: Values) => SelectQueryBuilder<DB, TB, Row>,
): Promise<unknown[]> {
  if (spec.key === undefined) return build(values).execute()
  return runCompiled(database().read, `${nameOf(spec)} ${shape}`, values, build)
}

/** So many rows are skipped as soon as they are sought. */
const NEARBY = 256

const nearOf = async <Order extends string, DB, TB extends keyof DB, Row>(
  { near, paging, orders }: ListSpec<Order, DB, TB, Row>,
  position: number,
): Promise<Near | undefined> => (paging.by === Object.keys(orders)[0] ? near?.(position) : undefined)

const mayScan = <Order extends string>({
  paging,
  orders,
  counts = false,
  near,
}: {
  paging: Paging<Order>
  orders: Record<Order, unknown>
  counts?: boolean | undefined
  near?: unknown
}): boolean =>
  counts ||
  paging.has !== '' ||
  paging.limit === 0 ||
  paging.limit > STREAM_CHUNK ||
  (paging.startwith > 10_000 && near === undefined) ||
  paging.by !== Object.keys(orders)[0]

async function countOf<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
): Promise<number> {
  const counted = await query
    .clearSelect()
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return Number((counted as { total: number }).total)
}

/** A large page in pieces: a statement takes only so many ids. */
async function viewsOf<Row>(
  { views }: { views: (rows: Row[]) => object[] | Promise<object[]> },
  rows: Row[],
): Promise<object[]> {
  const seen: object[] = []
  for (let start = 0; start < rows.length; start += STREAM_CHUNK)
    seen.push(...(await views(rows.slice(start, start + STREAM_CHUNK))))
  return seen
}

async function* chunks<Row>(
  rows: AsyncIterable<Row>,
  views: (rows: Row[]) => object[] | Promise<object[]>,
): AsyncGenerator<object[]> {
  let chunk: Row[] = []
  for await (const row of rows) {
    chunk.push(row)
    if (chunk.length === STREAM_CHUNK) {
      yield views(chunk)
      chunk = []
    }
  }
  if (chunk.length > 0) yield views(chunk)
}
