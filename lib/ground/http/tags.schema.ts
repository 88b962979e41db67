import { z } from 'zod'
import { coded } from '#lib/ground/http/input.schema'

/** The tags of one resource, and of one filter. */
export const MOST_TAGS = 20

const LONGEST = 64

/** Control characters, line and paragraph separators, and what XML does not allow. */
const refused = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u{FFFE}\u{FFFF}]/u

/** A name of a tag, trimmed. Its length is counted in code points. */
export const tagName = z
  .string()
  .transform((name) => name.trim())
  .pipe(
    z
      .string()
      .refine(
        (name) => name !== '' && name.length <= 2 * LONGEST && [...name].length <= LONGEST,
        coded('CONSTR-LENGTH', `must have 1 to ${LONGEST} characters`),
      )
      .refine((name) => !refused.test(name), coded('CONSTR-PATTERN', 'must not contain control characters')),
  )

/** The filter of a list by tags. The parameter may occur several times. */
export const tag = z
  .array(tagName)
  .max(MOST_TAGS, `tag must occur ${MOST_TAGS} times at most`)
  .optional()
  .meta({ description: 'Only items with this tag, whatever its case; several times: with all of these tags' })
