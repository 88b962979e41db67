import { type CompiledQuery, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { runCompiled } from '#lib/db/compiled.server'
import { type Db, database } from '#lib/db/db.server'
import { containing } from '#lib/db/fold'
import { cachedUntilWrite } from '#lib/db/kept.server'
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
  from: (db: Db, few?: readonly number[]) => SelectQueryBuilder<DB, TB, Row>
  /** The ids among which are all that `has` finds, where an index tells and they are few: `from` is given them then. */
  few?: () => Promise<readonly number[] | undefined>
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
  /** ReadContext for one row or more. */
  views: (rows: Row[]) => object[] | Promise<object[]>
  path: string
  /**
   * For rows that are ids alone, and a `from` and views that depend on path and filters and on this: the page's query is built
   * once, and the page found once for as long as nothing is written.
   */
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
  const { limit, startwith, asc, has } = spec.paging
  if (spec.key === undefined || limit === 0 || limit > STREAM_CHUNK) return freshly(spec)
  const name = `page ${nameOf(spec)} ${startwith} ${limit} ${asc} ${has}`
  if (!isAskedAgain(name)) return freshly(spec)
  return cachedUntilWrite(
    name,
    () => limit * VIEW_BYTES,
    async () => ({ ...(await freshly(spec)), written: { form: '', text: '' } }),
  )
}

const asked = new LRUCache<string, true>({ max: 2000 })

/** Most pages are asked for once: to keep those would only drive out the others. */
function isAskedAgain(name: string): boolean {
  const known = asked.has(name)
  asked.set(name, true)
  return known
}

/** About as much as a row and its text take. */
const VIEW_BYTES = 4096

async function freshly<Order extends string, DB, TB extends keyof DB, Row>(
  spec: ListSpec<Order, DB, TB, Row>,
): Promise<Listing> {
  const { paging, orders, path, filters } = spec
  if (spec.key !== undefined && isUnserved(spec) && paging.limit > 0) return pieceOf(spec)
  const { read, scan, stream } = database()
  const on = mayScan(spec) ? scan : read
  const total = await (spec.total?.() ?? countOf(on, spec.from(on)))
  const startwith = clampStart(paging.startwith, paging.limit, total)
  const links = pageLinks(path, { ...paging, startwith }, total, filters)
  const size = Math.max(Math.min(paging.limit || total, total - startwith), 0)
  if (paging.limit === 0 || size > STREAM_CHUNK) {
    const rows = ordered(spec, spec.from(stream), paging.asc).offset(startwith).limit(Math.max(size, 1))
    return { links, totalSize: total, collection: chunks(rows.stream(STREAM_CHUNK), spec.views) }
  }
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
    const rows = spec.from(on)
    const nearby = near ? rows.where(toSql(orders[paging.by][0] ?? spec.id), '>=', given.from) : rows
    return ordered(spec, nearby, ascending).limit(given.size).offset(given.offset)
  }
  const find = () =>
    spec.key === undefined
      ? build(values).execute()
      : runCompiled(on, `${nameOf(spec)} ${near !== undefined} ${ascending}`, values, build)
  const rows = (size > 0 ? await find() : []) as Row[]
  const collection = rows.length > 0 ? await spec.views(isReversed ? rows.reverse() : rows) : []
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
  const { paging, path, filters, views } = spec
  const all = await orderedIds(`${nameOf(spec)} ${paging.has}`, async () => {
    const few = paging.has === '' ? undefined : await spec.few?.()
    if (few?.length === 0) return undefined
    return sql`${ordered(spec, spec.from(database().scan, few), true)}`
  })
  const startwith = clampStart(paging.startwith, paging.limit, all.length)
  const end = Math.min(startwith + paging.limit, all.length)
  const ids = paging.asc
    ? all.subarray(startwith, end)
    : all.subarray(all.length - end, all.length - startwith).toReversed()
  const piece = (start: number) =>
    views(Array.from(ids.subarray(start, start + STREAM_CHUNK), (id) => ({ id })) as Row[])
  const links = pageLinks(path, { ...paging, startwith }, all.length, filters)
  if (ids.length > STREAM_CHUNK)
    return { links, totalSize: all.length, collection: inPieces(ids.length, piece) }
  return { links, totalSize: all.length, collection: ids.length > 0 ? await piece(0) : [] }
}

async function* inPieces(
  size: number,
  piece: (start: number) => object[] | Promise<object[]>,
): AsyncGenerator<object[]> {
  for (let start = 0; start < size; start += STREAM_CHUNK) yield piece(start)
}

/** So many rows are skipped as soon as they are sought. */
const NEARBY = 256

const nearOf = async <Order extends string, DB, TB extends keyof DB, Row>(
  { near, paging, orders }: ListSpec<Order, DB, TB, Row>,
  position: number,
): Promise<Near | undefined> => (paging.by === Object.keys(orders)[0] ? near?.(position) : undefined)

type Sought<Order extends string> = {
  paging: Paging<Order>
  orders: Record<Order, unknown>
  counts?: boolean | undefined
  near?: unknown
}

/** Neither the order nor the filters are those of an index. */
const isUnserved = <Order extends string>({ paging, orders, counts = false }: Sought<Order>): boolean =>
  counts || paging.has !== '' || paging.by !== Object.keys(orders)[0]

const mayScan = <Order extends string>(sought: Sought<Order>): boolean =>
  isUnserved(sought) ||
  sought.paging.limit === 0 ||
  (sought.paging.startwith > 10_000 && sought.near === undefined)

async function countOf<DB, TB extends keyof DB, Row>(
  on: Db,
  query: SelectQueryBuilder<DB, TB, Row>,
): Promise<number> {
  const counted = query.clearSelect().select(sql<number>`count(*)`.as('total'))
  const count = counted.compile() as CompiledQuery<{ total: number }>
  const { rows } = await cachedUntilWrite(
    `total ${count.sql} ${JSON.stringify(count.parameters)}`,
    () => 0,
    () => on.executeQuery(count),
  )
  return Number(rows[0]?.total)
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
