import { z } from 'zod'
import type { Syntax } from '#lib/http/accept.server'
import { ApiError, fault } from '#lib/http/errors'
import { type XmlBounds, xmlDocument } from '#lib/http/read-xml.server'

const KIB = 1024
const MOST_BYTES = 1024 * KIB
const MAX_DEPTH = 64

/** What an operation without credentials takes, where it does not declare another bound: anybody may send it. */
export const MOST_BYTES_OPENLY = 8 * KIB

const read = new WeakMap<Request, Promise<Buffer>>()
const bounds = new WeakMap<Request, number>()

/** Bounds the body of a request, before anything reads it. */
export const boundBody = (request: Request, bytes: number): void => {
  bounds.set(request, bytes)
}

/** The body of a request, at most 1 MiB of it or what it was bounded to, however often it is asked for. Throws 413. */
export function bytesOf(request: Request): Promise<Buffer> {
  const bytes = read.get(request) ?? readBytes(request)
  read.set(request, bytes)
  return bytes
}

/** Refuses a body that says beforehand that it is larger than its bound. Throws 413. */
export const requireBounded = (request: Request): void =>
  requireSize(request, Number(request.headers.get('content-length') ?? 0))

function requireSize(request: Request, size: number): void {
  const most = bounds.get(request) ?? MOST_BYTES
  if (size > most)
    throw new ApiError(fault('413-PAYLOAD-TOO-LARGE', `The body is larger than ${most / KIB} KiB`))
}

async function readBytes(request: Request): Promise<Buffer> {
  requireBounded(request)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength
      requireSize(request, size)
      chunks.push(chunk)
    }
  } catch (cause) {
    // The client has gone, or was too slow.
    throw cause instanceof ApiError
      ? cause
      : new ApiError(fault('GEN-3', 'The body did not arrive whole'), { cause })
  }
  return Buffer.concat(chunks)
}

/** Reads a body as UTF-8. Throws 413, or GEN-3 where it is no UTF-8. */
export async function readText(request: Request): Promise<string> {
  const bytes = await bytesOf(request)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ApiError(fault('GEN-3', 'The document is not UTF-8'), { cause })
  }
}

/**
 * The largest documents of this API have some ten thousand values. What holds more is refused while it is read: the worst that these
 * bounds let through is read in less than 100 ms, and nobody else is answered meanwhile.
 */
const MOST_VALUES = 30_000
const xmlBounds: XmlBounds = { elements: MOST_VALUES, attributes: MOST_VALUES, depth: MAX_DEPTH }

/** A document as plain objects; in XML every value is still text. */
export type ReadDocument<Root extends string> = { root: Root | undefined; document: unknown }

/** Reads a document, once. The root, in whatever case, is one of these; JSON does not name it. Throws GEN-3. */
export function readAs<Root extends string>(
  text: string,
  syntax: Syntax,
  roots: readonly Root[],
): ReadDocument<Root> {
  if (syntax === 'json') return { root: undefined, document: readJson(text) }
  const { root: written, content } = translated(() => xmlDocument(text, xmlBounds), 'is not valid XML')
  const root = roots.find((name) => name === written.toLowerCase())
  if (!root) throw new ApiError(fault('GEN-3', `The root element must be ${roots.join(' or ')}`))
  return { root, document: content }
}

/** The document alone, of the one root that it may have. Throws GEN-3. */
export const parseDocument = (text: string, syntax: Syntax, root: string): unknown =>
  readAs(text, syntax, [root]).document

function readJson(text: string): unknown {
  requireBoundedJson(text)
  const document: unknown = translated(() => JSON.parse(text), 'is not valid JSON')
  return tidy(document, { values: 0 })
}

const tooManyValues = (): ApiError =>
  new ApiError(fault('GEN-3', `The document has more than ${MOST_VALUES} values`))

/**
 * Refuses a text beyond the bounds before JSON.parse builds anything of it: 100,000 names of one object take it 80 ms. A comma outside
 * of strings stands between two values.
 */
function requireBoundedJson(text: string): void {
  let [commas, depth] = [0, 0]
  for (let place = 0; place < text.length; place += 1) {
    const letter = text[place]
    if (letter === '"') place = endOfString(text, place)
    else if (letter === ',') commas += 1
    else if (letter === '[' || letter === '{') depth += 1
    else if (letter === ']' || letter === '}') depth -= 1
    if (commas > MOST_VALUES) throw tooManyValues()
    if (depth > MAX_DEPTH)
      throw new ApiError(fault('GEN-3', `The document is nested deeper than ${MAX_DEPTH}`))
  }
}

function endOfString(text: string, start: number): number {
  let place = start + 1
  while (place < text.length && text[place] !== '"') place += text[place] === '\\' ? 2 : 1
  return place
}

function translated<T>(read: () => T, told: string): T {
  try {
    return read()
  } catch {
    // The error quotes the document, which may hold a password: it is no cause for the log.
    throw new ApiError(fault('GEN-3', `The document ${told}`))
  }
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A null field is a missing field. Changes the document in place, and counts its values. */
function tidy(value: unknown, count: { values: number }): unknown {
  count.values += 1
  if (count.values > MOST_VALUES) throw tooManyValues()
  if (typeof value !== 'object' || value === null) return value ?? undefined
  if (Array.isArray(value)) {
    for (let place = 0; place < value.length; place += 1) value[place] = tidy(value[place], count)
    return value
  }
  const fields = value as Record<string, unknown>
  for (const name of Object.keys(fields)) fields[name] = tidy(fields[name], count)
  return fields
}

/** Turns the texts of an XML document into the numbers, booleans and lists that the schema asks for. */
export function fromXml(schema: z.ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodObject) return objectFromXml(schema, value)
  if (schema instanceof z.ZodArray) {
    if (value === undefined) return undefined
    const items = Array.isArray(value) ? value : [value]
    return items.map((item) => fromXml(schema.element as z.ZodType, item))
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return fromXml(schema.unwrap() as z.ZodType, value)
  }
  if (schema instanceof z.ZodRecord) return mapFromXml(schema, value)
  if (schema instanceof z.ZodPipe) return fromXml(schema.in as z.ZodType, value)
  if (schema instanceof z.ZodNumber)
    return typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
  if (schema instanceof z.ZodBoolean)
    return typeof value === 'string' && /^\s*(true|false)\s*$/.test(value) ? value.trim() === 'true' : value
  return value
}

function objectFromXml(schema: z.ZodObject, value: unknown): unknown {
  // White space between elements is no content.
  if (typeof value === 'string' && value.trim() === '') return {}
  if (!isFields(value)) return value
  const known = Object.entries(value).filter(([name]) => Object.hasOwn(schema.shape, name))
  return Object.fromEntries(
    known.map(([name, field]) => [name, fromXml(schema.shape[name] as z.ZodType, field)]),
  )
}

/** Reads `<entry><key/><value/></entry>…` as a map (docs/api.md, "JSON and XML"). Anything else stays as it is, and is refused later. */
function mapFromXml(schema: z.ZodRecord, value: unknown): unknown {
  if (value === undefined) return undefined
  if (typeof value === 'string' && value.trim() === '') return {}
  const entries = isFields(value) ? [value.entry].flat() : [value]
  const sound = isFields(value) && Object.keys(value).length === 1 && entries.every(isFields)
  if (!sound || !entries.every(({ key }) => typeof key === 'string')) return entries
  return Object.fromEntries(
    entries.map(({ key, value: item }) => [key, fromXml(schema.valueType as z.ZodType, item)]),
  )
}
