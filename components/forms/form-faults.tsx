import type { ReactNode } from 'react'
import { z } from 'zod'
import { ApiFailure, type ApiFault } from '#lib/client/api'
import type { Say } from '#lib/words/words'
import { FailureText } from './failure'

export type FieldErrors<Field extends string> = Partial<Record<Field, ReactNode>>

/** The faults that the shared schema finds in the texts of a draft, by field. */
export function textFaults<Shape extends z.ZodRawShape>(
  say: Say<'forms.faults'>,
  { shape }: z.ZodObject<Shape>,
  draft: { readonly [Field in keyof Shape]?: unknown },
): FieldErrors<Extract<keyof Shape, string>> {
  const errors: FieldErrors<Extract<keyof Shape, string>> = {}
  for (const [field, schema] of Object.entries(shape) as [Extract<keyof Shape, string>, z.ZodType][]) {
    if (typeof draft[field] !== 'string') continue
    const [issue] = schema.safeParse(draft[field]).error?.issues ?? []
    if (issue) errors[field] = textFault(say, schema, issue)
  }
  return errors
}

const bounded = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodOptional
    ? bounded(schema.unwrap() as z.ZodType)
    : schema

function textFault(say: Say<'forms.faults'>, schema: z.ZodType, issue: z.core.$ZodIssue): string {
  if (issue.code !== 'custom' || issue.params?.code !== 'CONSTR-LENGTH') return say('characters')
  const { minLength: min = 0, maxLength: max = 0 } = bounded(schema).meta() ?? {}
  return Number(min) > 0
    ? say('length', { min: Number(min), max: Number(max) })
    : say('tooLong', { max: Number(max) })
}

/** Assigns the faults of a refused save to the fields that caused them; `rest` has the other faults. */
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

/** The field named in the message of a violated constraint. */
export const fieldNamedIn = <Field extends string>(
  { code, message }: ApiFault,
  fields: readonly Field[],
): Field | undefined =>
  code.startsWith('CONSTR-')
    ? fields.find((field) => new RegExp(`\\b${field}\\b`, 'i').test(message))
    : undefined
