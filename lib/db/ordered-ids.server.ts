import { type RawBuilder, sql } from 'kysely'
import { type Database, database } from '#lib/db/db.server'
import { untilWritten } from '#lib/db/kept.server'

/* The ids of long lists: one that no index serves is searched and sorted once, and each page of it is a piece of what was found then. */

type Query = () => RawBuilder<unknown> | Promise<RawBuilder<unknown>>

/** The ids of a query that gives them in order. The key tells it from all others. */
export const orderedIds = (key: string, query: Query): Promise<Float64Array> =>
  untilWritten(
    `ids ${key}`,
    (ids) => ids.byteLength,
    () => seek(database(), query),
  )

async function seek(on: Database, query: Query): Promise<Float64Array> {
  // One text: a million rows of their own would take longer to bring here than to find.
  const text = sql<{
    ids: string | null
  }>`select string_agg(cast(id as text), ',') as ids from (${await query()}) as ordered`
  const { rows } = await text.execute(on.scan)
  return numbersIn(rows[0]?.ids ?? '')
}

/** Reads `1,22,333` without making a text of each. */
export function numbersIn(text: string): Float64Array {
  const numbers = new Float64Array(text === '' ? 0 : commasIn(text) + 1)
  let index = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === COMMA) index += 1
    else numbers[index] = (numbers[index] ?? 0) * 10 + (code - ZERO)
  }
  return numbers
}

const COMMA = 44
const ZERO = 48

function commasIn(text: string): number {
  let commas = 0
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) commas += 1
  return commas
}
