import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Tables } from '#lib/db/tables.server'

/** Stands for a number or a text of the values while a query is built. */
class Parameter {
  readonly index: number

  constructor(index: number) {
    this.index = index
  }
}

const compiled = new Map<string, CompiledQuery>()
const names = new Map<string, string>()

/** The name of a compiled query, under which PostgreSQL prepares it once for each connection. */
export const statementName = (text: string): string | undefined => names.get(text)

/** Every connection of PostgreSQL keeps what it prepared. The filters of lists combine freely, so there is a limit. */
const MAX_STATEMENTS = 500

/** PostgreSQL prepares this query from now on. It refuses a prepared `select *` after a migration, so such a query is left alone. */
export function prepareQuery(name: string, { sql }: CompiledQuery): void {
  if (names.has(sql) || names.size >= MAX_STATEMENTS || /select \*|"\.\*/.test(sql)) return
  // PostgreSQL cuts names off after 63 bytes.
  names.set(sql, `${names.size} ${name}`.slice(0, 63))
}

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
