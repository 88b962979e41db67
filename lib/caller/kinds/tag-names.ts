import { fold } from '#lib/db/fold'

/* Names of tags, which are the same whatever their case. */

export const isNamed = (names: readonly string[], name: string): boolean =>
  names.some((each) => fold(each) === fold(name))

export const areDistinct = (names: readonly string[]): boolean =>
  new Set(names.map(fold)).size === names.length
