import { kindNamed, kinds } from '#lib/caller/kinds/kinds'
import type { Change, EntityType } from '#lib/record/events/events.schema'
import type { Named } from '#lib/record/events/stored'

/* Events from before migration 11 name resources as text, "name (id)". The field implies the kind of the resource. */

type FlatChanges = Record<string, Pick<Change, 'before' | 'after'>>

/** The kind that a field names. */
function kindOfField(field: string): string | undefined {
  if (/^nic\d*$/.test(field)) return kinds.privateip.name
  if (field === 'scopeParent') return kinds.scope.name
  return field === 'devicetype' ? field : kindNamed(field)?.name
}

/** The text of these fields does not identify a resource. */
const ambiguous = new Set(['application', 'natrules', 'original', 'scopeEntities', 'translated'])

/** An event without a place: only callers who see everything see it. */
const nowhere: Named = { type: '', id: 0 }

function namedBy(entity: EntityType, field: string, text: string | undefined): Named | undefined {
  if (text === undefined) return undefined
  if (ambiguous.has(field)) return nowhere
  // The login name on the device, not a user of this installation.
  if (entity === 'device' && field === 'user') return undefined
  const type = kindOfField(field)
  if (!type) return undefined
  const id = Number(/ \((\d+)\)$/.exec(text)?.[1])
  return id ? { type, id } : nowhere
}

export const namedInFlat = (entity: EntityType, changes: FlatChanges): Named[] =>
  Object.entries(changes).flatMap(([field, { before, after }]) =>
    [before, after].flatMap((text) => namedBy(entity, field, text) ?? []),
  )

/** The change of one field, without what is hidden from the reader. */
export function shownFlat(
  entity: EntityType,
  [field, { before, after }]: [string, FlatChanges[string]],
  sees: (named: Named) => boolean,
): Change {
  const hides = (text: string | undefined) => {
    const named = namedBy(entity, field, text)
    return named !== undefined && !sees(named)
  }
  return {
    ...(hides(before) ? { beforeHidden: true } : before !== undefined && { before }),
    ...(hides(after) ? { afterHidden: true } : after !== undefined && { after }),
  }
}
