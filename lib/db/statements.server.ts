import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Tables } from '#lib/db/tables.server'

/** A placeholder for a number or a text of the values while a query is built. */
class Parameter {
  readonly index: number

  constructor(index: number) {
    this.index = index
  }
}

const compiled = new Map<string, CompiledQuery>()
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

/**
 * A query that is compiled once, because Kysely takes longer to build it than SQLite to answer it. `build` depends on its values alone:
 * their numbers and texts become parameters, everything else in them (flags, absent values, lengths) is part of the key. Columns are
 * named: PostgreSQL refuses a prepared `select *` after a migration.
 */
export const statement =
  <Values extends object, Row>(
    name: string,
    build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
  ) =>
  async (db: Kysely<Tables>, values: Values): Promise<Row[]> => {
    const parameters: unknown[] = []
    const shape = JSON.stringify(values, (_, value) => {
      if (typeof value !== 'number' && (typeof value !== 'string' || value === '')) return value
      parameters.push(value)
      return '?'
    })
    const key = `${name} ${shape}`
    const query = compiled.get(key) ?? build(db, withParameters(shape) as Values).compile()
    if (!compiled.has(key)) {
      compiled.set(key, query)
      prepareQuery(name, query)
    }
    const { rows } = await db.executeQuery<Row>({
      ...query,
      parameters: query.parameters.map((value) =>
        value instanceof Parameter ? parameters[value.index] : value,
      ),
    } as CompiledQuery<Row>)
    return rows
  }

function withParameters(shape: string): unknown {
  let index = 0
  return JSON.parse(shape, (_, value) => (value === '?' ? new Parameter(index++) : value))
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
