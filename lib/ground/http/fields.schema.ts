import { z } from 'zod'

/* The fields of a resource are declared once, in the form of its input. Documents, plans and forms derive theirs from it. */

export type Fields = Readonly<Record<string, z.ZodType>>

/** The values that clients read, by field. */
export type Values<F extends Fields> = { [Name in keyof F]: z.output<F[Name]> }

export const namesOf = <F extends Fields>(fields: F) => Object.keys(fields) as (keyof F & string)[]

/** Without the default, in the form of a request. */
export const bare = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
    return bare(schema.unwrap() as z.ZodType)
  return schema instanceof z.ZodPipe ? bare(schema.in as z.ZodType) : schema
}

const each = <F extends Fields>(fields: F, of: (schema: z.ZodType) => unknown) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, of(schema)]))

const unbounded = (schema: z.ZodType): z.ZodType => {
  const type = bare(schema)
  if (type instanceof z.ZodArray) return z.array(unbounded(type.element as z.ZodType))
  if (type instanceof z.ZodNumber) return z.int()
  return type instanceof z.ZodBoolean ? z.boolean() : z.string()
}

/** The fields in documents: only the input has bounds. */
export const shown = <F extends Fields>(fields: F) =>
  each(fields, unbounded) as { [Name in keyof F]: z.ZodType<z.output<F[Name]>> }

type Bare<T> = T extends z.ZodDefault<infer Inner> ? Inner : T

/** The fields in a plan: missing ones keep their values, except those of the identity. */
export const wanted = <F extends Fields, Identity extends keyof F = never>(
  fields: F,
  identity: readonly Identity[] = [],
) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => {
      const sent = schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : schema
      return [name, identity.some((one) => one === name) ? sent : sent.optional()]
    }),
  ) as {
    [Name in keyof F]: Name extends Identity ? F[Name] : z.ZodOptional<Bare<F[Name]>>
  }

/** The default, or an empty value. */
export function emptyOf(schema: z.ZodType): unknown {
  const type = bare(schema)
  const none = type instanceof z.ZodBoolean ? false : type instanceof z.ZodArray ? [] : ''
  return schema.safeParse(undefined).data ?? none
}

/** As a form shows them first. */
export const empty = <F extends Fields>(fields: F) => each(fields, emptyOf) as Values<F>

export type Texts<F extends Fields> = {
  [Name in keyof F]: z.output<F[Name]> extends string ? Name : never
}[keyof F]

/** The fields that are texts. */
export const textsOf = <F extends Fields>(fields: F) =>
  namesOf(fields).filter((name) => bare(fields[name] as z.ZodType) instanceof z.ZodString) as (Texts<F> &
    string)[]

/** Without spaces around texts. */
export const trimmed = <T extends object>(values: T): T =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  ) as T
