import { z } from 'zod'
import { areDistinct } from '#lib/caller/kinds/tag-names'
import { coded, staysInPut, text } from '#lib/ground/http/input.schema'
import { MOST_TAGS, tagName } from '#lib/ground/http/tags.schema'

/* docs/api/conventions.md, "Notes and tags": fields of most kinds of resources. A PUT without them leaves them unchanged. */

/** Control characters but line breaks. */
const control = /(?![\n\r])\p{Cc}/u

const description = text(0, 1000)
  .refine((value) => !control.test(value), coded('CONSTR-PATTERN', 'must not contain control characters'))
  .transform((value) => value.replace(/\r\n?/g, '\n'))

const tags = z
  .array(tagName)
  .max(MOST_TAGS, `must have ${MOST_TAGS} entries at most`)
  .refine(areDistinct, coded('CONSTR-PATTERN', 'must not contain a name twice, whatever its case'))

/** The tags of resources whose description has rules of its own. */
export const tagged = { tags: staysInPut(tags.default([])) }

export const noted = { description: staysInPut(description.default('')), ...tagged }

/** Fields of a bulk change: what else a resource has stays. */
export const tagChanges = { addTags: tags.optional(), removeTags: tags.optional() }
export type TagChanges = { addTags?: string[] | undefined; removeTags?: string[] | undefined }

/** As they are of a resource without notes. */
export const noNotes = { description: '', tags: [] as string[] }

export type Noted = { description: string; tags: string[] }
