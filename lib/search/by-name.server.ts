import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { fold } from '#lib/db/fold'
import { hasText } from '#lib/db/list.server'

export type Wanted = { text: string; limit: number }

type Columns = {
  /** The folded name, which an index serves. */
  key: string
  /** Other folded texts that may begin like this. */
  alike?: readonly string[]
  /** Where the text is looked for, if it is not only in the names. */
  within?: readonly string[]
  id: string
}

/** Sorts after every text that begins with what stands before it. */
const END = '\u{10FFFF}'

const startsWith = (column: string, text: string): RawBuilder<SqlBool> => {
  const start = fold(text)
  return sql`(${sql.ref(column)} >= ${start} and ${sql.ref(column)} < ${start + END})`
}

const any = (conditions: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  sql`(${sql.join(conditions, sql` or `)})`

/** The rows whose name begins with the text, by name, then those that contain it: both end where there are enough. */
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
