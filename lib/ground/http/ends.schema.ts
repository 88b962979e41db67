import { z } from 'zod'
import { type Fault, fault } from '#lib/ground/http/errors'
import { coded } from '#lib/ground/http/input.schema'

/* When a resource ends by itself (docs/api/ends.md, "Ends"). */

const datetime = z.iso.datetime({ offset: true })

/** RFC 3339 §5.6: a year has four digits, in UTC too. */
const hasFourDigits = (value: string): boolean => /^\d{4}-/.test(new Date(value).toISOString())

/** A moment in RFC 3339, in UTC with milliseconds. Empty: none. A PUT without it keeps the present one. */
export const ends = z
  .string()
  .refine(
    (value) => value === '' || (datetime.safeParse(value).success && hasFourDigits(value)),
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

/** The end after a change. A document without it keeps the present one. */
export function endAfter(ends: string | undefined, present: number | null = null): number | null {
  if (ends === undefined) return present
  return ends === '' ? null : Date.parse(ends)
}

/** ENDS-1, unless the end stays as it is. */
export const endFaults = (ends: string | undefined, present: number | null = null): Fault[] =>
  ends && endAfter(ends) !== present && Date.parse(ends) <= Date.now() ? [fault('ENDS-1')] : []
