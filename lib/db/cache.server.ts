import type { CompiledQuery } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Database, database } from '#lib/db/db.server'
import { dataVersion } from '#lib/db/dialect.server'

const MOST_BYTES = 32 * 2 ** 20

/** Overhead of an entry besides its key and value. */
const ENTRY_BYTES = 512

type Cache = {
  version: string
  values: LRUCache<string, { value: unknown; bytes: number }>
  pending: Map<string, Promise<unknown>>
}

const caches = new WeakMap<Database, Cache>()

function cacheOf(on: Database): Cache {
  const cache = caches.get(on) ?? {
    version: '',
    values: new LRUCache({
      maxSize: MOST_BYTES,
      sizeCalculation: ({ bytes }, key) => bytes + 2 * key.length + ENTRY_BYTES,
    }),
    pending: new Map(),
  }
  caches.set(on, cache)
  return cache
}

/**
 * A value that is read outside any transaction, cached until the next commit. The key is the SQL of a query with its parameters, so it
 * includes everything that the value depends on. Callers share the value and must not change it.
 */
export async function cachedUntilWrite<T>(
  { sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>,
  bytesOf: (value: T) => number,
  find: () => Promise<T>,
): Promise<T> {
  const key = `${sql} ${JSON.stringify(parameters)}`
  const on = database()
  // Read before the value, which is then never older than its version.
  const version = await dataVersion(on.read, on.engine)
  const cache = cacheOf(on)
  if (cache.version !== version) cache.values.clear()
  cache.version = version
  const known = cache.values.get(key)
  if (known) return known.value as T
  const name = `${version} ${key}`
  const pending = cache.pending.get(name) ?? find().finally(() => cache.pending.delete(name))
  cache.pending.set(name, pending)
  const value = (await pending) as T
  if (cache.version === version) cache.values.set(key, { value, bytes: bytesOf(value) })
  return value
}
