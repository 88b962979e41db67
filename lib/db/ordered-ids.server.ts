import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Database, database } from '#lib/db/db.server'
import { versionOfData } from '#lib/db/dialect.server'

/*
 * The ids of long lists, for as long as nothing is written by anybody: a list that no index serves is searched and sorted once, and
 * each page of it is a piece of what was found then.
 */

const MOST_BYTES = 64 * 2 ** 20

/** What is kept of a list beside its ids and its name: many a search finds nothing. */
const ENTRY_BYTES = 512

type Lists = { found: LRUCache<string, Float64Array>; sought: Map<string, Promise<Float64Array>> }

const kept = new WeakMap<Database, Lists>()

function listsOf(on: Database): Lists {
  const lists = kept.get(on) ?? {
    found: new LRUCache({
      maxSize: MOST_BYTES,
      sizeCalculation: (ids: Float64Array, name: string) => ids.byteLength + 2 * name.length + ENTRY_BYTES,
    }),
    sought: new Map(),
  }
  kept.set(on, lists)
  return lists
}

type Query = () => RawBuilder<unknown> | Promise<RawBuilder<unknown>>

/** The ids of a query that gives them in order. The key tells it from all others. */
export async function orderedIds(key: string, query: Query): Promise<Float64Array> {
  const on = database()
  // Asked before the list is sought: what is found is never older than what its name says.
  const name = `${await versionOfData(on.read, on.engine)} ${key}`
  const { found, sought } = listsOf(on)
  const known = found.get(name)
  if (known) return known
  // Whoever asks for the same meanwhile waits for that.
  const seeking = sought.get(name) ?? seek(on, query).finally(() => sought.delete(name))
  sought.set(name, seeking)
  const ids = await seeking
  found.set(name, ids)
  return ids
}

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
