import { LRUCache } from 'lru-cache'
import { type Database, database } from '#lib/db/db.server'
import { versionOfData } from '#lib/db/dialect.server'
import { dataVersion } from '#lib/db/moment.server'

/* What was found in the database, for as long as nothing is written by anybody: what is asked for again is found once. */

const MOST_BYTES = 32 * 2 ** 20

/** What is kept beside a value and its name: many a search finds nothing. */
const ENTRY_BYTES = 512

type Kept = {
  version: string
  found: LRUCache<string, { value: unknown; bytes: number }>
  sought: Map<string, Promise<unknown>>
}

const keptOf = new WeakMap<Database, Kept>()

function keptOn(on: Database): Kept {
  const kept = keptOf.get(on) ?? {
    version: '',
    found: new LRUCache({
      maxSize: MOST_BYTES,
      sizeCalculation: ({ bytes }, key) => bytes + 2 * key.length + ENTRY_BYTES,
    }),
    sought: new Map(),
  }
  keptOf.set(on, kept)
  return kept
}

/** What is found outside of any transaction. The key tells it from all else; who gets it changes nothing in it. */
export async function cachedUntilWrite<T>(
  key: string,
  bytesOf: (value: T) => number,
  find: () => Promise<T>,
): Promise<T> {
  const on = database()
  // ReadContext before anything is sought: what is found is never older than its version says.
  const version = await dataVersion(() => versionOfData(on.read, on.engine))
  const kept = keptOn(on)
  if (kept.version !== version) kept.found.clear()
  kept.version = version
  const known = kept.found.get(key)
  if (known) return known.value as T
  // Whoever asks for the same meanwhile waits for that.
  const name = `${version} ${key}`
  const seeking = kept.sought.get(name) ?? find().finally(() => kept.sought.delete(name))
  kept.sought.set(name, seeking)
  const value = (await seeking) as T
  if (kept.version === version) kept.found.set(key, { value, bytes: bytesOf(value) })
  return value
}
