import { setImmediate } from 'node:timers/promises'

/** About ten milliseconds of work on each of them. */
const SLICE = 500

/** The items in slices. Other requests run between two of them. */
export async function* slicesOf<T>(items: readonly T[], size = SLICE): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) {
    if (start > 0) await setImmediate()
    yield items.slice(start, start + size)
  }
}

/** As `Map.groupBy`, in slices. */
export async function groupedBy<T, Key>(
  items: readonly T[],
  keyOf: (item: T) => Key,
): Promise<Map<Key, T[]>> {
  const groups = new Map<Key, T[]>()
  for await (const some of slicesOf(items))
    for (const item of some) {
      const key = keyOf(item)
      const group = groups.get(key)
      if (group) group.push(item)
      else groups.set(key, [item])
    }
  return groups
}

/** The items one by one, with the same pauses. */
export async function* eachOf<T>(items: readonly T[]): AsyncGenerator<T> {
  for await (const some of slicesOf(items)) yield* some
}
