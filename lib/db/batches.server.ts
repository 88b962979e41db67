import { chunksOf } from '#lib/db/chunks'
import type { Attempt } from '#lib/db/savepoints.server'
import { groupedBy } from '#lib/db/slices.server'

/* Many changes that are alike in a few statements, as one step that has the single changes as its parts. */

/** Items in one batch: about 40 ms of work, during which SQLite holds up other requests. With 100, a plan takes half as long again. */
const MOST = 250

/** Fewer items are steps of their own. */
const FEWEST = 20

type Making<T, Step> = {
  /** Equal for items that one batch can change. undefined: a step of its own. null: nothing to do. */
  alike: (item: T) => string | null | undefined
  /** The step of one item. */
  one: (item: T) => Step
  /** Changes all these items, or refuses and changes none. */
  many: (items: T[]) => Promise<unknown>
}

/** The steps for these items: batches first. */
export async function inBatches<T, Step extends Attempt>(
  items: readonly T[],
  { alike, one, many }: Making<T, Step>,
): Promise<(Step | Attempt)[]> {
  const groups = await groupedBy(items, alike)
  const alone = groups.get(undefined) ?? []
  const batches: Attempt[] = []
  for (const [key, group] of groups) {
    if (typeof key !== 'string') continue
    if (group.length < FEWEST) alone.push(...group)
    else
      for (const some of chunksOf(group, MOST))
        batches.push({ run: () => many(some), parts: { count: some.length, steps: () => some.map(one) } })
  }
  return [...batches, ...alone.map(one)]
}
