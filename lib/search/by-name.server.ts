import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { fold } from '#lib/db/fold'
import { hasText } from '#lib/db/list.server'

export type Wanted = { text: string; limit: number }

type Columns = {
  /** The folded name, which has an index. */
  key: string
  /** Other folded columns that may start with the text. */
  alike?: readonly string[]
  /** Columns that may contain the text. By default the name. */
  within?: readonly string[]
  id: string
}

/** A suffix for an upper bound: prefix + this sorts after every text that starts with the prefix. */
const END = '\u{10FFFF}'

const startsWith = (column: string, text: string): RawBuilder<SqlBool> => {
  const start = fold(text)
  return sql`(${sql.ref(column)} >= ${start} and ${sql.ref(column)} < ${start + END})`
}

const any = (conditions: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  sql`(${sql.join(conditions, sql` or `)})`

/** Rows whose name starts with the text, then rows that contain it, up to the limit. */
export async function byName<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  { key, alike = [], within = [key], id }: Columns,
  { text, limit }: Wanted,
): Promise<Row[]> {
  const take = (condition: RawBuilder<SqlBool>, most: number): Promise<Row[]> =>
    rows.where(condition).orderBy(sql.ref(key)).orderBy(sql.ref(id)).limit(most).execute() as Promise<Row[]>
  const begins = any([key, ...alike].map((column) => startsWith(column, text)))
  const first = await take(begins, limit)
  if (first.length === limit) return first
  const contains = any(within.map((column) => hasText(column, text)))
  return [...first, ...(await take(sql`${contains} and not ${begins}`, limit - first.length))]
}
