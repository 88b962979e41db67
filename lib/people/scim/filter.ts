import { ApiError, fault } from '#lib/ground/http/errors'

/* Filters (RFC 7644 §3.4.2.2) and paths of PATCH operations (§3.5.2), which share their grammar. docs/decisions has why no package reads them. */

export const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Comparison = (typeof comparisons)[number]
export type Value = string | number | boolean | null

/** A condition on attributes. `within` is a filter in brackets, on the elements of a multi-valued attribute. */
export type Filter =
  | { op: 'and' | 'or'; filters: Filter[] }
  | { op: 'not'; filter: Filter }
  | { op: 'within'; path: string; filter: Filter }
  | { op: 'pr'; path: string }
  | { op: Comparison; path: string; value: Value }

/** `emails[type eq "work"].value`: the attribute, the filter in brackets and the sub-attribute. */
export type Path = { attribute: string; filter?: Filter; sub?: string }

type Token = { text: string; value?: string }
type Reader = {
  tokens: Token[]
  at: number
  depth: number
  conditions: number
  fail: (why: string) => ApiError
}

const LONGEST = 4096
/** Each path is compared with each element, and a message has many operations. */
const LONGEST_PATH = 512
const DEEPEST = 32
/** Each is looked at for each row. */
const MOST_CONDITIONS = 50

/** A string in JSON, a bracket, a word: an attribute with its schema, an operator, a number, true, false or null. */
const token = /\s*(?:"((?:[^"\\]|\\.)*)"|([[\]()])|([\w$:.+-]+))\s*/sy

const badFilter = (why: string): ApiError => new ApiError(fault('SCIM-0', `The filter is not valid: ${why}`))
const badPath = (why: string): ApiError => new ApiError(fault('SCIM-1', `The path is not valid: ${why}`))

function readerOf(text: string, longest: number, fail: Reader['fail']): Reader {
  if (text.length > longest) throw fail(`it is longer than ${longest} characters`)
  const tokens: Token[] = []
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const start = token.lastIndex
    const [, quoted, bracket, word] = token.exec(text) ?? []
    const plain = bracket ?? word
    if (quoted !== undefined) tokens.push({ text: '"', value: unquoted(quoted, fail) })
    else if (plain !== undefined) tokens.push({ text: plain })
    else throw fail(`unexpected character at ${start + 1}`)
  }
  return { tokens, at: 0, depth: 0, conditions: 0, fail }
}

function unquoted(text: string, fail: Reader['fail']): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    throw fail('a text is not valid JSON')
  }
}

/** Throws SCIM-0. */
export function parseFilter(text: string): Filter {
  const reader = readerOf(text, LONGEST, badFilter)
  const filter = readOr(reader)
  if (reader.at < reader.tokens.length) throw badFilter(`unexpected ${shownAt(reader)}`)
  return filter
}

/** Throws SCIM-1. */
export function parsePath(text: string): Path {
  const reader = readerOf(text, LONGEST_PATH, badPath)
  const attribute = readAttribute(reader)
  if (!takes(reader, '[')) return ended(reader, { attribute })
  const filter = readOr(reader)
  expectNext(reader, ']')
  const rest = reader.tokens[reader.at]
  if (!rest?.text.startsWith('.')) return ended(reader, { attribute, filter })
  reader.at += 1
  return ended(reader, { attribute, filter, sub: rest.text.slice(1) })
}

function ended(reader: Reader, path: Path): Path {
  if (reader.at < reader.tokens.length) throw reader.fail(`unexpected ${shownAt(reader)}`)
  return path
}

const shownAt = ({ tokens, at }: Reader): string => tokens[at]?.value ?? tokens[at]?.text ?? 'end'

/** Whether this word or bracket is next, which it then passes. Operators ignore case (RFC 7644 §3.4.2.2). */
function takes(reader: Reader, text: string): boolean {
  const isNext = reader.tokens[reader.at]?.text.toLowerCase() === text
  if (isNext) reader.at += 1
  return isNext
}

function expectNext(reader: Reader, text: string): void {
  if (!takes(reader, text)) throw reader.fail(`expected ${text} instead of ${shownAt(reader)}`)
}

const joined = (op: 'and' | 'or', filters: Filter[]): Filter => {
  const [only] = filters
  return only && filters.length === 1 ? only : { op, filters }
}

function readOr(reader: Reader): Filter {
  reader.depth += 1
  if (reader.depth > DEEPEST) throw reader.fail(`it is nested deeper than ${DEEPEST}`)
  const filters = [readAnd(reader)]
  while (takes(reader, 'or')) filters.push(readAnd(reader))
  reader.depth -= 1
  return joined('or', filters)
}

function readAnd(reader: Reader): Filter {
  const filters = [readOne(reader)]
  while (takes(reader, 'and')) filters.push(readOne(reader))
  return joined('and', filters)
}

function readOne(reader: Reader): Filter {
  reader.conditions += 1
  if (reader.conditions > MOST_CONDITIONS)
    throw reader.fail(`it has more than ${MOST_CONDITIONS} conditions and brackets`)
  if (takes(reader, 'not')) {
    expectNext(reader, '(')
    return { op: 'not', filter: readGroup(reader) }
  }
  if (takes(reader, '(')) return readGroup(reader)
  const path = readAttribute(reader)
  if (takes(reader, 'pr')) return { op: 'pr', path }
  if (takes(reader, '[')) {
    const filter = readOr(reader)
    expectNext(reader, ']')
    return { op: 'within', path, filter }
  }
  const op = comparisons.find((each) => takes(reader, each))
  if (!op) throw reader.fail(`expected an operator instead of ${shownAt(reader)}`)
  return { op, path, value: readValue(reader) }
}

function readGroup(reader: Reader): Filter {
  const filter = readOr(reader)
  expectNext(reader, ')')
  return filter
}

function readAttribute(reader: Reader): string {
  const next = reader.tokens[reader.at]
  if (!next || next.value !== undefined || !/^[a-z$]/i.test(next.text))
    throw reader.fail(`expected an attribute instead of ${shownAt(reader)}`)
  reader.at += 1
  return next.text
}

const words: Readonly<Record<string, Value>> = { true: true, false: false, null: null }

function readValue(reader: Reader): Value {
  const next = reader.tokens[reader.at]
  reader.at += 1
  if (next?.value !== undefined) return next.value
  const text = next?.text ?? ''
  const word = text.toLowerCase()
  if (Object.hasOwn(words, word)) return words[word] ?? null
  if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return Number(text)
  throw reader.fail('expected a value in quotes, a number, true, false or null')
}
