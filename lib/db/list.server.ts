import { type CompiledQuery, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { cachedUntilWrite } from '#lib/db/cache.server'
import { type Db, database } from '#lib/db/db.server'
import { containing } from '#lib/db/fold'
import { prepareQuery } from '#lib/db/statements.server'
import { clampStart, type ListQuery, pageLinks } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'

/** A column by its name, or an expression. */
export type Column = string | RawBuilder<unknown>

const toSql = (column: Column): RawBuilder<unknown> => (typeof column === 'string' ? sql.ref(column) : column)

/** Whether the folded column contains the text, literally. Every column contains the empty text. */
export const hasText = (column: Column, text: string): RawBuilder<SqlBool> =>
  text === '' ? sql`1 = 1` : sql`${toSql(column)} like ${containing(text)} escape '\\'`

export function inOrderOf<Row extends { id: number }>(
  ids: readonly { id: number }[],
  rows: readonly Row[],
): Row[] {
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap(({ id }) => found.get(id) ?? [])
}

/** Number of rows that are read and rendered at a time. Longer pages are streamed. */
export const CHUNK = 500

/** SQLite takes no offset without a limit. */
const ALL = 2 ** 52

export type ListSpec<Order extends string, DB, TB extends keyof DB, Row> = {
  /** The filtered rows, unordered. */
  from: (db: Db) => SelectQueryBuilder<DB, TB, Row>
  /** The columns of each order, none of them null. An index serves the first order. */
  orders: Record<Order, readonly Column[]>
  /** The column that breaks ties. */
  id: string
  /** The whole query of the list. Its filters are in the links to other pages. */
  paging: ListQuery<Order>
  /** For many rows: they are counted and skipped on the scan thread. */
  scans?: boolean
  /** The number of rows, if it is stored. */
  total?: number
  /** The documents of at least one row. */
  views: (rows: Row[]) => object[] | Promise<object[]>
  path: string
}

/**
 * One page of a collection with its links and exact total. A page in the second half is read from the end, so the last page costs as much
 * as the first. Long pages and full exports (`limit=0`) are streamed.
 */
export async function list<Order extends string, DB, TB extends keyof DB, Row>(
  spec: ListSpec<Order, DB, TB, Row>,
): Promise<Listing> {
  const { paging, orders, scans, views } = spec
  const { read, scan, stream } = database()
  const isIndexed = paging.has === '' && paging.by === Object.keys(orders)[0]
  const db = scans || !isIndexed || paging.limit === 0 || paging.startwith > 10_000 ? scan : read
  // The best plan of a search depends on its text, so searches are planned each time.
  const prepare = (query: CompiledQuery) => paging.has === '' && prepareQuery(spec.path, query)
  const filtered = spec.from(db)
  const { startwith, size, behind, ...page } = pageOf(
    spec,
    spec.total ?? (await countOf(scan, filtered, prepare)),
  )
  if (size > CHUNK || paging.limit === 0) {
    // Rows that were added since they were counted must not displace others from a full export.
    const most = paging.limit === 0 ? ALL : size
    const rows = ordered(spec, spec.from(stream), paging.asc).offset(startwith).limit(most)
    return { ...page, collection: chunksOf(rows.stream(CHUNK), views) }
  }
  if (size === 0) return { ...page, collection: [] }
  const isReversed = behind < startwith
  const query = ordered(spec, filtered, paging.asc !== isReversed)
    .limit(size)
    .offset(Math.min(startwith, behind))
    .compile()
  prepare(query)
  const { rows } = await db.executeQuery<Row>(query)
  return { ...page, collection: await views(isReversed ? rows.reverse() : rows) }
}

/** A list that is searched by the name of its rows, and ordered by it or by id. */
export const namedList = <DB, TB extends keyof DB, Row>({
  table,
  from,
  ...spec
}: Omit<ListSpec<'name' | 'id', DB, TB, Row>, 'orders' | 'id'> & { table: string }): Promise<Listing> =>
  list({
    ...spec,
    from: (db) => from(db).where(hasText(`${table}.name_key`, spec.paging.has)),
    orders: { name: [`${table}.name_key`], id: [] },
    id: `${table}.id`,
  })

/** The number of rows, counted once until the next write: 1,000,000 events take 60 ms. */
export function countOf<DB, TB extends keyof DB, Row>(
  db: Db,
  rows: SelectQueryBuilder<DB, TB, Row>,
  prepare: (query: CompiledQuery) => void,
): Promise<number> {
  const query = rows.clearSelect().select(sql<number>`count(*)`.as('total')).compile() as CompiledQuery<{
    total: number
  }>
  prepare(query)
  return cachedUntilWrite(
    query,
    () => 0,
    async () => Number((await db.executeQuery(query)).rows[0]?.total),
  )
}

/** Where the page begins, how many rows are in it and behind it, its links and the total. */
export function pageOf(
  { paging, path }: Pick<ListSpec<string, never, never, never>, 'paging' | 'path'>,
  total: number,
) {
  const startwith = clampStart(paging.startwith, paging.limit, total)
  const size = Math.max(Math.min(paging.limit || total, total - startwith), 0)
  const links = pageLinks(path, { ...paging, startwith }, total)
  return { startwith, size, behind: total - startwith - size, links, totalSize: total }
}

/** The rows in the order of the page, ascending or descending. */
export const ordered = <Order extends string, DB, TB extends keyof DB, Row>(
  { orders, id, paging }: Pick<ListSpec<Order, DB, TB, Row>, 'orders' | 'id' | 'paging'>,
  from: SelectQueryBuilder<DB, TB, Row>,
  ascending: boolean,
): SelectQueryBuilder<DB, TB, Row> =>
  [...orders[paging.by], id].reduce(
    (sorted, column) => sorted.orderBy(toSql(column), ascending ? 'asc' : 'desc'),
    from,
  )

export async function* chunksOf<Row>(
  rows: AsyncIterable<Row>,
  views: (rows: Row[]) => object[] | Promise<object[]>,
): AsyncGenerator<object[]> {
  let chunk: Row[] = []
  for await (const row of rows) {
    if (chunk.push(row) < CHUNK) continue
    yield views(chunk)
    chunk = []
  }
  if (chunk.length > 0) yield views(chunk)
}
