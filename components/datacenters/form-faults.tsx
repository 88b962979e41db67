import type { ReactNode } from 'react'
import type { z } from 'zod'
import { FailureText } from '#components/layout/failure'
import { ApiFailure, type ApiFault } from '#lib/client/api'

export type FieldErrors<Field extends string> = Partial<Record<Field, ReactNode>>

/** The first issue of each field, as a sentence; `fields` gives the name that a form shows for each property. */
export function issuesByField<Field extends string>(
  error: z.ZodError | undefined,
  fields: Record<string, { field: Field; label: string }>,
): FieldErrors<Field> {
  const errors: FieldErrors<Field> = {}
  for (const { path, message } of error?.issues ?? []) {
    const known = fields[String(path[0])]
    if (known) errors[known.field] ??= message.startsWith('must') ? `${known.label} ${message}.` : message
  }
  return errors
}

/** Sorts the faults of a refused save to the fields that caused them; `rest` has the others, if there are any. */
export function faultsByField<Field extends string>(
  error: Error | null,
  fieldOf: (fault: ApiFault) => Field | undefined,
): { fields: FieldErrors<Field>; rest: Error | undefined } {
  if (!(error instanceof ApiFailure)) return { fields: {}, rest: error ?? undefined }
  const part = (faults: ApiFault[]) =>
    new ApiFailure({ status: error.status, faults, requestId: error.requestId })
  const fields: FieldErrors<Field> = {}
  const named = new Set(error.faults.map(fieldOf))
  for (const field of named) {
    if (field === undefined) continue
    fields[field] = <FailureText error={part(error.faults.filter((fault) => fieldOf(fault) === field))} />
  }
  const others = error.faults.filter((fault) => fieldOf(fault) === undefined)
  return { fields, rest: others.length > 0 ? part(others) : undefined }
}

/** The property that a broken constraint names in its message. */
export const fieldNamedIn = <Field extends string>(
  { code, message }: ApiFault,
  fields: readonly Field[],
): Field | undefined =>
  code.startsWith('CONSTR-')
    ? fields.find((field) => new RegExp(`\\b${field}\\b`, 'i').test(message))
    : undefined
