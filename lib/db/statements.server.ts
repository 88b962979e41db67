import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Tables } from '#lib/db/tables.server'

/** A placeholder for a number or a text of the values while a query is built. */
class Parameter {
  readonly index: number

  constructor(index: number) {
    this.index = index
  }
}

/** By the names of statements and the shapes of their values. */
const queries = new Map<string, Map<string, CompiledQuery>>()
const names = new Map<string, string>()

/** The name under which PostgreSQL prepares a query once per connection: for compiled queries, and for frequent ones. */
export function statementName(text: string): string | undefined {
  if (!names.has(text) && hasOnePlan(text) && isFrequent(text)) name('frequent', text)
  return names.get(text)
}

/** Changes, and reads by id. The best plan of a search or a list depends on its values, and a bulk change is as long as its rows. */
const hasOnePlan = (text: string): boolean =>
  text.length < 2000 &&
  /^(insert|update|delete|select) /.test(text) &&
  !/ (like|between|order by) |any\(|count\(/.test(text)

const seen = new Map<string, number>()
const FREQUENT = 5
const MAX_SEEN = 1000

function isFrequent(text: string): boolean {
  const times = (seen.get(text) ?? 0) + 1
  if (seen.size >= MAX_SEEN) seen.clear()
  seen.set(text, times)
  return times > FREQUENT
}

/** Every connection of PostgreSQL keeps its prepared statements. The filters of lists combine freely, so there is a limit. */
const MAX_STATEMENTS = 500

/** PostgreSQL prepares this query from now on. */
export const prepareQuery = (purpose: string, { sql }: CompiledQuery): void => name(purpose, sql)

/** PostgreSQL refuses a prepared `select *` after a migration, so such a query gets no name. */
function name(purpose: string, text: string): void {
  if (names.has(text) || names.size >= MAX_STATEMENTS || /(select|returning) \*|"\.\*/.test(text)) return
  lastName += 1
  // PostgreSQL cuts names off after 63 bytes.
  names.set(text, `${lastName} ${purpose}`.slice(0, 63))
}

let lastName = 0

/**
 * Makes room for new names, which differ from all earlier ones. Connections keep their prepared statements, so only tests may call this.
 */
export const forgetNames = (): void => names.clear()

/** The longest list of ids for which statements are compiled, and some more. */
const MOST_PARAMETERS = 600

/** Filters combine freely, and a compiled query takes some 25 KiB: more shapes of a statement are compiled each time. */
const MOST_SHAPES = 64

/** The limit of statements that insert rows: bulk changes have any number of them. */
export const FEW_ROWS = 60

/** Builds a query from its values alone. */
export type Build<Values, Row> = (db: Kysely<Tables>, values: Values) => Compilable<Row>

/**
 * A query that is compiled once, because Kysely takes longer to build it than SQLite to answer it. `build` depends on its values alone:
 * their numbers and texts become parameters, everything else in them (flags, absent values, lengths) is their shape. Columns are
 * named: PostgreSQL refuses a prepared `select *` after a migration. With more than `most` parameters it is compiled each time.
 */
export function compiledOnce<Values extends object, Row>(
  name: string,
  build: Build<Values, Row>,
  most = MOST_PARAMETERS,
): (db: Kysely<Tables>, values: Values) => CompiledQuery<Row> {
  const compiled = queries.get(name) ?? new Map<string, CompiledQuery>()
  queries.set(name, compiled)
  return (db, values) => {
    const parameters: unknown[] = []
    const shape = shapeOf(values, parameters)
    let known = compiled.get(shape)
    if (!known) {
      known = build(db, placeheld(values, { index: 0 }) as Values).compile()
      if (compiled.size < MOST_SHAPES && parameters.length <= most) {
        compiled.set(shape, known)
        prepareQuery(name, known)
      }
    }
    const { sql, query, queryId } = known
    const bound = known.parameters.map((value) =>
      value instanceof Parameter ? parameters[value.index] : value,
    )
    return { sql, query, queryId, parameters: bound }
  }
}

/** Runs a query that is compiled once. */
export function statement<Values extends object, Row>(
  name: string,
  build: Build<Values, Row>,
  most?: number,
): (db: Kysely<Tables>, values: Values) => Promise<Row[]> {
  const query = compiledOnce(name, build, most)
  return async (db, values) => (await db.executeQuery(query(db, values))).rows
}

/**
 * Statements that do not wait for each other: on PostgreSQL they travel together, in this order. Throws the first failure of them, after
 * which PostgreSQL refuses the others of a transaction.
 */
export async function together<T extends readonly unknown[]>(
  ...work: { [Index in keyof T]: Promise<T[Index]> }
): Promise<T> {
  const outcomes = await Promise.allSettled(work)
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }) as unknown as T
}

/** The row that a statement always returns. */
export function oneOf<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('A statement returned no row')
  return row
}

const isParameter = (value: unknown): value is number | string =>
  typeof value === 'number' || (typeof value === 'string' && value !== '')

/** Adds the numbers and texts to the parameters. */
function shapeOf(value: unknown, parameters: unknown[]): string {
  if (isParameter(value)) {
    parameters.push(value)
    return '?'
  }
  if (typeof value !== 'object' || value === null) return String(value)
  let shape = '('
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype)
    throw new Error('A statement takes plain values: the shape of others is unknown')
  if (Array.isArray(value)) for (const item of value) shape += `${shapeOf(item, parameters)},`
  else for (const name in value) shape += `${name} ${shapeOf(value[name as keyof typeof value], parameters)},`
  return `${shape})`
}

/** The values with a placeholder for each number and text, in the order of `shapeOf`. */
function placeheld(value: unknown, next: { index: number }): unknown {
  if (isParameter(value)) return new Parameter(next.index++)
  if (Array.isArray(value)) return value.map((item) => placeheld(item, next))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, placeheld(part, next)]))
}

/** Statements are compiled for these numbers of ids. Shorter lists are padded to the next number. */
const SIZES = [1, 25, 100, 500]

/** No row has this id. */
const NO_ID = 0

/** The ids of these rows, as many as a statement is compiled for. */
export function paddedIds(rows: readonly { id: number }[]): number[] {
  const size = SIZES.find((size) => size >= rows.length) ?? rows.length
  return Array.from({ length: size }, (_, index) => rows[index]?.id ?? NO_ID)
}
