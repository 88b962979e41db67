import type { ReactNode } from 'react'
import type { z } from 'zod'
import { ApiFailure, type ApiFault } from '#lib/client/api'
import { bare } from '#lib/ground/http/fields.schema'
import type { Say } from '#lib/words/words'
import { FailureText } from './failure'

export type FieldErrors<Field extends string> = Partial<Record<Field, ReactNode>>

/** The value is too short or too long, rather than malformed. */
export const isLength = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'too_big' || (issue.code === 'custom' && issue.params?.code === 'CONSTR-LENGTH')

/** What is wrong with a text, with the limits of its rule. */
export function textFault(say: Say<'forms.faults'>, schema: z.ZodType, issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_big') return say('tooLong', { max: Number(issue.maximum) })
  if (!isLength(issue)) return say('characters')
  const { minLength: min = 0, maxLength: max = 0 } = bare(schema).meta() ?? {}
  return Number(min) > 0
    ? say('length', { min: Number(min), max: Number(max) })
    : say('tooLong', { max: Number(max) })
}

/** Fields of a form whose names differ from those in the API. */
export type FieldNames<Field extends string> = Readonly<Record<string, Field>>

/** The field of the form for a fault: the longest part of the fault's path that is a field of the form. */
export function fieldOfFault<Field extends string>(
  { field = '' }: ApiFault,
  draft: object,
  names: FieldNames<Field> = {},
): Field | undefined {
  const path = field.split('.')
  for (; path.length > 0; path.pop()) {
    const part = path.join('.')
    if (Object.hasOwn(names, part)) return names[part]
    if (Object.hasOwn(draft, part)) return part as Field
  }
  return undefined
}

/** Assigns the faults of a refused save to the fields that caused them; `rest` has the other faults. */
export function faultsByField<Field extends string>(
  error: Error | null,
  draft: object,
  names?: FieldNames<Field>,
): { fields: FieldErrors<Field>; rest: Error | undefined } {
  if (!(error instanceof ApiFailure)) return { fields: {}, rest: error ?? undefined }
  const part = (faults: ApiFault[]) =>
    new ApiFailure({ status: error.status, faults, requestId: error.requestId })
  const fields: FieldErrors<Field> = {}
  const named = Map.groupBy(error.faults, (fault) => fieldOfFault(fault, draft, names))
  for (const [field, faults] of named)
    if (field !== undefined) fields[field] = <FailureText error={part(faults)} />
  const others = named.get(undefined)
  return { fields, rest: others && part(others) }
}
