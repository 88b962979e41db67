import type { TagChanges } from '#lib/caller/kinds/notes.schema'
import { isNamed } from '#lib/caller/kinds/tag-names'
import { ApiError, fieldFault } from '#lib/ground/http/errors'
import { MOST_TAGS } from '#lib/ground/http/tags.schema'

/* Tags that a bulk change adds and removes. */

/** The tags after the change, new ones last; undefined if they stay. Throws CONSTR-LENGTH. */
export function changedTags(
  before: readonly string[],
  { addTags = [], removeTags = [] }: TagChanges,
): string[] | undefined {
  const kept = before.filter((tag) => !isNamed(removeTags, tag))
  const added = addTags.filter((tag) => !isNamed(kept, tag))
  if (kept.length === before.length && added.length === 0) return undefined
  const tags = [...kept, ...added]
  if (tags.length <= MOST_TAGS) return tags
  throw new ApiError(fieldFault('CONSTR-LENGTH', 'addTags', `there would be more than ${MOST_TAGS} tags`))
}

type Row = { id: number; tags: string }

/** The rows whose tags the change changes, together where they get the same ones. */
export function alikeByTags(rows: readonly Row[], change: TagChanges): { tags: string[]; ids: number[] }[] {
  const changed = rows.flatMap(({ id, tags: stored }) => {
    const tags = changedTags(JSON.parse(stored), change)
    return tags ? [{ id, tags }] : []
  })
  return [...Map.groupBy(changed, ({ tags }) => JSON.stringify(tags)).values()].map((some) => ({
    tags: some[0]?.tags ?? [],
    ids: some.map(({ id }) => id),
  }))
}
