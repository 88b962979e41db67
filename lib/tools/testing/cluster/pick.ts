import type { Random } from '#lib/tools/sample/random'

/** One of these. Throws if there is none. */
export function one<T>(random: Random, items: readonly T[]): T {
  const [first, ...rest] = items
  if (first === undefined) throw new Error('there is nothing to pick from')
  return random.pick([first, ...rest])
}
