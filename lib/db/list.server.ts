import { type CompiledQuery, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { cachedUntilWrite } from '#lib/db/cache.server'
import { changedAs, type SeenColumns } from '#lib/db/changed.server'
import { type Db, database } from '#lib/db/db.server'
import { containing } from '#lib/db/fold'
import { type Build, compiledOnce, prepareQuery } from '#lib/db/statements.server'
import { hasTags } from '#lib/db/tags.server'
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

/** True if no filter is set, so that a page costs no more than its rows. */
export const isUnfiltered = (filters: Readonly<Record<string, unknown>>): boolean =>
  Object.values(filters).every((filter) => filter === undefined)

/** SQLite takes no offset without a limit. */
const ALL = 2 ** 52

export type ListSpec<Order extends string, DB, TB extends keyof DB, Row, Values extends object = object> = {
  /** The filtered rows, unordered. */
  from: (db: Db, values: Values) => SelectQueryBuilder<DB, TB, Row>
  /** Everything that `from` depends on, besides the search. Then the queries of the list are compiled once, under its name. */
  once?: { name: string; values: Values } | undefined
  /** The columns of each order, none of them null. An index serves the first order. */
  orders: Record<Order, readonly Column[]>
  /** The column that breaks ties. */
  id: string
  /** The whole query of the list. Its filters are in the links to other pages. */
  paging: ListQuery<Order>
  /** How the caller sees the hidden columns of the rows, if not all of them. */
  seen?: SeenColumns | undefined
  /** The rows that changed as wanted, for rows that change with rows of other tables, in place of `seen`. */
  changes?: (changed: string) => RawBuilder<SqlBool>
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
export function list<Order extends string, DB, TB extends keyof DB, Row, Values extends object = object>(
  spec: ListSpec<Order, DB, TB, Row, Values>,
): Promise<Listing> {
  const { changed, tag } = spec.paging
  if (changed === undefined && tag === undefined) return filteredList(spec)
  const values = valuesOf(spec)
  const changes = (changed !== undefined && spec.changes?.(changed)) || changedAs(spec.id, changed, spec.seen)
  const from = (db: Db) => spec.from(db, values).where(changes).where(hasTags(spec.id, tag))
  return filteredList({ ...spec, once: undefined, scans: true, from })
}

const valuesOf = <Values extends object>({ once }: { once?: { values: Values } | undefined }): Values =>
  once?.values ?? ({} as Values)

/** The same, where `from` has all filters. */
export async function filteredList<
  Order extends string,
  DB,
  TB extends keyof DB,
  Row,
  Values extends object = object,
>(spec: ListSpec<Order, DB, TB, Row, Values>): Promise<Listing> {
  const { paging, orders, scans, views } = spec
  const { read, scan, stream } = database()
  const isIndexed = paging.has === '' && paging.by === Object.keys(orders)[0]
  const db = scans || !isIndexed || paging.limit === 0 || paging.startwith > 10_000 ? scan : read
  const values = valuesOf(spec)
  const total = queryIn(spec, 'total', (on, values: Values) => countIn(spec.from(on, values)))
  const { startwith, size, behind, ...page } = pageOf(
    spec,
    spec.total ?? (await counted(scan, total(scan, values))),
  )
  if (size > CHUNK || paging.limit === 0) {
    // Rows that were added since they were counted must not displace others from a full export.
    const most = paging.limit === 0 ? ALL : size
    const rows = ordered(spec, spec.from(stream, values), paging.asc).offset(startwith).limit(most)
    return { ...page, collection: chunksOf(rows.stream(CHUNK), views) }
  }
  if (size === 0) return { ...page, collection: [] }
  const isReversed = behind < startwith
  const ascending = paging.asc !== isReversed
  const window = { limit: size, offset: Math.min(startwith, behind) }
  const query = queryIn(
    spec,
    `by ${paging.by} ${ascending ? 'asc' : 'desc'}`,
    (on, { values, limit, offset }: Window<Values>) =>
      ordered(spec, spec.from(on, values), ascending).limit(limit).offset(offset),
  )
  const { rows } = await db.executeQuery<Row>(query(db, { values, ...window }))
  return { ...page, collection: await views(isReversed ? rows.reverse() : rows) }
}

type Window<Values> = { values: Values; limit: number; offset: number }

/** A query of the list. The best plan of a search depends on its text, so searches are planned each time. */
function queryIn<Values extends object, Row>(
  {
    once,
    paging,
    path,
  }: Pick<ListSpec<string, never, never, never>, 'paging' | 'path'> & { once?: { name: string } | undefined },
  purpose: string,
  build: Build<Values, Row>,
): (db: Db, values: Values) => CompiledQuery<Row> {
  if (once && paging.has === '') return compiledOnce(`${once.name} ${purpose}`, build)
  return (db, values) => {
    const query = build(db, values).compile()
    if (paging.has === '') prepareQuery(path, query)
    return query
  }
}

/** A list that is searched by the name of its rows, and ordered by it or by id. */
export const namedList = <DB, TB extends keyof DB, Row, Values extends object = object>({
  table,
  from,
  ...spec
}: Omit<ListSpec<'name' | 'id', DB, TB, Row, Values>, 'orders' | 'id'> & {
  table: string
}): Promise<Listing> =>
  list<'name' | 'id', DB, TB, Row, Values>({
    ...spec,
    from: (db, values) => from(db, values).where(hasText(`${table}.name_key`, spec.paging.has)),
    orders: { name: [`${table}.name_key`], id: [] },
    id: `${table}.id`,
  })

const countIn = <DB, TB extends keyof DB, Row>(rows: SelectQueryBuilder<DB, TB, Row>) =>
  rows.clearSelect().select(sql<number>`count(*)`.as('total'))

/** The number of rows, counted once until the next write: 1,000,000 events take 60 ms. */
export const countOf = <DB, TB extends keyof DB, Row>(
  db: Db,
  rows: SelectQueryBuilder<DB, TB, Row>,
): Promise<number> => counted(db, countIn(rows).compile())

const counted = (db: Db, query: CompiledQuery<{ total: number }>): Promise<number> =>
  cachedUntilWrite(
    query,
    () => 0,
    async () => Number((await db.executeQuery(query)).rows[0]?.total),
  )

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
