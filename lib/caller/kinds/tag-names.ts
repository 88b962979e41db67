import { fold } from '#lib/db/fold'

/* Names of tags, which are the same whatever their case. */

export const isNamed = (names: readonly string[], name: string): boolean =>
  names.some((each) => fold(each) === fold(name))

export const areDistinct = (names: readonly string[]): boolean =>
  new Set(names.map(fold)).size === names.length

/** The names of some resources, the most frequent first. */
export function countedTags(tags: readonly string[]): { name: string; count: number }[] {
  return [...Map.groupBy(tags, fold).values()]
    .map((names) => ({ name: names[0] ?? '', count: names.length }))
    .sort((one, other) => other.count - one.count)
}
