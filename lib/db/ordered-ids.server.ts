import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Database, database } from '#lib/db/db.server'
import { versionOfData } from '#lib/db/dialect.server'

/*
 * The ids of long lists, for as long as nothing is written: a list that no index serves is searched and sorted once, and each page
 * of it is a piece of what was found then.
 */

const MOST_BYTES = 64 * 2 ** 20

type Lists = LRUCache<string, Float64Array, () => RawBuilder<{ ids: string | null }>>

const kept = new WeakMap<Database, Lists>()

function listsOf(on: Database): Lists {
  const lists: Lists =
    kept.get(on) ??
    new LRUCache({
      maxSize: MOST_BYTES,
      sizeCalculation: ({ byteLength }) => byteLength + 1,
      // Whoever asks for the same while it is on its way waits for that.
      fetchMethod: async (_key, _stale, { context }) => {
        const { rows } = await context().execute(on.scan)
        return numbersIn(rows[0]?.ids ?? '')
      },
    })
  kept.set(on, lists)
  return lists
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

/** The ids of a query that gives them in order. The key tells it from all others. */
export async function orderedIds(key: string, query: () => RawBuilder<unknown>): Promise<Float64Array> {
  const on = database()
  const version = await versionOfData(on.read, on.engine)
  // One text: a million rows of their own would take longer to bring here than to find.
  const ids = () =>
    sql<{ ids: string | null }>`select string_agg(cast(id as text), ',') as ids from (${query()}) as ordered`
  return (await listsOf(on).fetch(`${version} ${key}`, { context: ids })) ?? new Float64Array()
}
