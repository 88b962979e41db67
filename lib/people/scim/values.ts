import { ApiError, fault } from '#lib/ground/http/errors'

/* Values of attributes as clients send them. */

export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const wrongValue = (attribute: string, why: string): ApiError =>
  new ApiError(fault('SCIM-5', `${attribute} ${why}`, attribute))

/** The members of messages by their names in lower case: a message is asked for a dozen attributes. */
const lowered = new WeakMap<Fields, ReadonlyMap<string, unknown>>()

function membersOf(fields: Fields): ReadonlyMap<string, unknown> {
  const known = lowered.get(fields)
  if (known) return known
  // Of names that differ only in case the first one counts.
  const members = new Map(
    Object.entries(fields)
      .reverse()
      .map(([name, value]) => [name.toLowerCase(), value]),
  )
  lowered.set(fields, members)
  return members
}

/** An attribute of a message, whatever the case of its name (RFC 7643 §2.1). */
export const attributeOf = (fields: Fields, name: string): unknown =>
  membersOf(fields).get(name.toLowerCase())

/** Microsoft Entra can send a single value as a list of one element with its `value`. */
function single(value: unknown): unknown {
  const one = Array.isArray(value) && value.length === 1 ? value[0] : value
  return isFields(one) && 'value' in one ? one.value : one
}

const isMissing = (value: unknown): value is undefined | null => value === undefined || value === null

/** Undefined and the empty text are no value (RFC 7643 §2.5). Throws SCIM-5. */
export function textOf(value: unknown, attribute: string): string | undefined {
  const one = single(value)
  if (isMissing(one) || one === '') return undefined
  if (typeof one === 'number') return String(one)
  if (typeof one !== 'string') throw wrongValue(attribute, 'must be a text')
  return one
}

/** Microsoft Entra sends "True" and "False". Throws SCIM-5. */
export function booleanOf(value: unknown, attribute: string): boolean | undefined {
  const one = single(value)
  if (isMissing(one)) return undefined
  const word = String(one).toLowerCase()
  if (word !== 'true' && word !== 'false') throw wrongValue(attribute, 'must be true or false')
  return word === 'true'
}

/** The elements of a multi-valued attribute. A text is an element with that value. Throws SCIM-5. */
export function elementsOf(value: unknown, attribute: string): Fields[] {
  if (isMissing(value)) return []
  const all: unknown[] = Array.isArray(value) ? value : [value]
  return all
    .filter((each) => !isMissing(each))
    .map((each) => {
      if (typeof each === 'string' || typeof each === 'number') return { value: each }
      if (!isFields(each)) throw wrongValue(attribute, 'must be a list of objects')
      return each
    })
}

/** The id that an element or a text names, or undefined if it is none. */
export function idOf(value: unknown): number | undefined {
  const text = String(single(value))
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

const LONGEST = 256

/** Throws SCIM-5 for texts that are too long to be kept, or that have control characters. */
export function requireKeepable(texts: Readonly<Record<string, string | undefined>>): void {
  for (const [attribute, text = ''] of Object.entries(texts))
    if (text.length > LONGEST || /\p{Cc}/u.test(text))
      throw wrongValue(attribute, `must have at most ${LONGEST} characters, and no control character`)
}
