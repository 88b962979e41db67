import { z } from 'zod'
import { coded } from '#lib/ground/http/input.schema'

/* When a resource ends by itself (docs/api.md, "Ends"). */

const datetime = z.iso.datetime({ offset: true })

/** A moment in RFC 3339, in UTC with milliseconds. Empty: none. A PUT without it keeps the present one. */
export const ends = z
  .string()
  .refine(
    (value) => value === '' || datetime.safeParse(value).success,
    coded('CONSTR-PATTERN', 'must be a time with a zone, such as 2027-01-31T00:00:00Z, or empty'),
  )
  .transform((value) => (value === '' ? '' : new Date(value).toISOString()))
  .meta({ description: 'When it ends by itself (RFC 3339). Empty: never. Missing: it stays as it is' })

/** The filter of lists. */
export const endsBefore = z.iso
  .datetime({ offset: true, error: 'endsbefore must be a moment in RFC 3339' })
  .optional()
  .meta({ description: 'Only what ends by itself before this moment' })

export const endsShown = z.iso.datetime({ precision: 3 }).optional()

export const endsText = (at: number | null): string => (at === null ? '' : new Date(at).toISOString())

/** The moment that a document wants (ms); null: none. */
export const endsAt = (text: string): number | null => (text === '' ? null : Date.parse(text))
