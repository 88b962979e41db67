import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Syntax } from '#lib/ground/http/accept.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { TooMuch, type XmlBounds, xmlDocument } from '#lib/ground/http/read-xml.server'

const KIB = 1024
const MOST_BYTES = 1024 * KIB
const MAX_DEPTH = 64

/** Default limit for operations without credentials, because anyone may call them. */
export const MOST_BYTES_OPENLY = 8 * KIB

/** Sets the size limit of a body. Call it before the body is read. */
export const boundBody = (request: Exchange, bytes: number): void => {
  request.largest = bytes
}

/** The body of a request, read once, up to its limit (default 1 MiB). Throws 413. */
export function bytesOf(request: Exchange): Promise<Buffer> {
  request.read ??= readBytes(request)
  return request.read
}

/** Refuses a body whose Content-Length exceeds its limit. Throws 413. */
export const requireBounded = (request: Exchange): void =>
  requireSize(request, Number(request.headers.get('content-length') ?? 0))

function requireSize(request: Exchange, size: number): void {
  const most = request.largest ?? MOST_BYTES
  if (size > most)
    throw new ApiError(fault('413-PAYLOAD-TOO-LARGE', `The body is larger than ${most / KIB} KiB`))
}

async function readBytes(request: Exchange): Promise<Buffer> {
  requireBounded(request)
  // Copied piece by piece: joining 64 MiB at the end would hold up other requests.
  let bytes: Buffer = Buffer.allocUnsafe(Number(request.headers.get('content-length') ?? 0))
  let size = 0
  for await (const chunk of chunksOf(request)) {
    if (size + chunk.byteLength > bytes.length) bytes = grown(bytes, size + chunk.byteLength)
    bytes.set(chunk, size)
    size += chunk.byteLength
  }
  return bytes.subarray(0, size)
}

/** The body as it arrives, up to its limit. Throws 413, and GEN-3 if it ends too soon. */
async function* chunksOf(request: Exchange): AsyncGenerator<Uint8Array> {
  requireBounded(request)
  let size = 0
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength
      requireSize(request, size)
      yield chunk
    }
  } catch (cause) {
    // The client disconnected or was too slow.
    throw cause instanceof ApiError
      ? cause
      : new ApiError(fault('GEN-3', 'The body is incomplete'), { cause })
  }
}

/** Bytes that are decoded and read at a time. */
const PIECE = 16 * KIB

/**
 * A large body as text, in pieces as they arrive. Other requests run between two of them. `received` gets the number of bytes so far, and may
 * refuse the rest. Throws 413, and GEN-3 if the body is not UTF-8.
 */
export async function* textOf(request: Exchange, received: (bytes: number) => void): AsyncGenerator<string> {
  const known = request.read
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decoded = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined })
    } catch (cause) {
      throw new ApiError(fault('GEN-3', 'The document is not UTF-8'), { cause })
    }
  }
  let size = 0
  for await (const chunk of known ? [await known] : chunksOf(request)) {
    size += chunk.byteLength
    received(size)
    for (let start = 0; start < chunk.byteLength; start += PIECE) {
      yield decoded(chunk.subarray(start, start + PIECE))
      await setImmediate()
    }
  }
  yield decoded()
}

function grown(bytes: Buffer, least: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(least, 2 * bytes.length))
  larger.set(bytes)
  return larger
}

/** Reads a body as UTF-8. Throws 413, or GEN-3 if it is not UTF-8. */
export async function readText(request: Exchange): Promise<string> {
  const bytes = await bytesOf(request)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ApiError(fault('GEN-3', 'The document is not UTF-8'), { cause })
  }
}

/**
 * The largest documents of this API have about ten thousand values. Larger ones are refused while they are parsed: parsing blocks the
 * event loop, and the worst document within these limits takes less than 100 ms.
 */
const MOST_VALUES = 30_000
/** Members of one object. No document has a tenth of these, and some readers copy or compare the names of all. */
const MOST_MEMBERS = 1000
const xmlBounds: XmlBounds = { elements: MOST_VALUES, attributes: MOST_VALUES, depth: MAX_DEPTH }

/** A document as plain objects; in XML every value is still text. */
type ReadDocument<Root extends string> = { root: Root | undefined; document: unknown }

/** Parses a document. In XML the root must be one of these, in any case; JSON names no root. Throws GEN-3. */
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

/** Parses a document that has one possible root. Throws GEN-3. */
export const parseDocument = (text: string, syntax: Syntax, root: string): unknown =>
  readAs(text, syntax, [root]).document

function readJson(text: string): unknown {
  requireBoundedJson(text)
  const document: unknown = translated(() => JSON.parse(text), 'is not valid JSON')
  return tidy(document, { values: 0 })
}

const tooLarge = (what: string): ApiError => new ApiError(fault('413-PAYLOAD-TOO-LARGE', what))
const tooManyValues = (): ApiError => tooLarge(`The document has more than ${MOST_VALUES} values`)

/**
 * Refuses a text beyond the limits before JSON.parse builds objects: an object with 100,000 keys takes 80 ms. Counts commas outside
 * strings, which separate values.
 */
function requireBoundedJson(text: string): void {
  let [commas, members] = [0, 1]
  /** Members of the objects around. A list has no members, however many commas. */
  const around: number[] = []
  for (let place = 0; place < text.length; place += 1) {
    const letter = text[place]
    if (letter === '"') place = endOfString(text, place)
    else if (letter === ',') {
      commas += 1
      members += 1
    } else if (letter === '[' || letter === '{') {
      around.push(members)
      members = letter === '{' ? 1 : -Infinity
    } else if (letter === ']' || letter === '}') members = around.pop() ?? 1
    if (commas > MOST_VALUES) throw tooManyValues()
    if (members > MOST_MEMBERS) throw tooLarge(`An object has more than ${MOST_MEMBERS} members`)
    if (around.length > MAX_DEPTH)
      throw new ApiError(fault('GEN-3', `The document is nested deeper than ${MAX_DEPTH}`))
  }
}

function endOfString(text: string, start: number): number {
  let place = start + 1
  while (place < text.length && text[place] !== '"') place += text[place] === '\\' ? 2 : 1
  return place
}

function translated<T>(read: () => T, problem: string): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof TooMuch) throw tooManyValues()
    if (error instanceof ApiError) throw error
    // The parser's error may quote a password from the document, so it does not become the cause in the log.
    throw new ApiError(fault('GEN-3', `The document ${problem}`))
  }
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Turns null fields into missing ones, in place, and counts the values. */
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

/** Converts the texts of an XML document to the numbers, booleans and lists of the schema. */
export function fromXml(schema: z.ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodObject) return objectFromXml(schema, value)
  if (schema instanceof z.ZodArray) {
    if (value === undefined) return undefined
    // One empty element is an empty list.
    if (value === '') return []
    const items = Array.isArray(value) ? value : [value]
    return items.map((item) => fromXml(schema.element as z.ZodType, item))
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return fromXml(schema.unwrap() as z.ZodType, value)
  }
  if (schema instanceof z.ZodRecord) return mapFromXml(schema, value)
  if (schema instanceof z.ZodPipe) return fromXml(schema.in as z.ZodType, value)
  if (schema instanceof z.ZodUnion) {
    const read = schema.options.map((option) => fromXml(option as z.ZodType, value))
    return read.find((one) => one !== value) ?? value
  }
  if (schema instanceof z.ZodLiteral)
    return typeof value === 'string' && value.trim() === 'true' && schema.value === true ? true : value
  if (schema instanceof z.ZodNumber)
    return typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
  if (schema instanceof z.ZodBoolean)
    return typeof value === 'string' && /^\s*(true|false)\s*$/.test(value) ? value.trim() === 'true' : value
  return value
}

function objectFromXml(schema: z.ZodObject, value: unknown): unknown {
  // Whitespace between elements is not content.
  if (typeof value === 'string' && value.trim() === '') return {}
  if (!isFields(value)) return value
  const known = Object.entries(value).filter(([name]) => Object.hasOwn(schema.shape, name))
  return Object.fromEntries(
    known.map(([name, field]) => [name, fromXml(schema.shape[name] as z.ZodType, field)]),
  )
}

/** Reads `<entry><key/><value/></entry>…` as a map (docs/api/conventions.md, "JSON and XML"). Anything else stays unchanged for the schema to refuse. */
function mapFromXml(schema: z.ZodRecord, value: unknown): unknown {
  if (value === undefined) return undefined
  if (typeof value === 'string' && value.trim() === '') return {}
  const entries = isFields(value) ? [value.entry].flat() : [value]
  const sound = isFields(value) && Object.keys(value).length === 1 && entries.every(isFields)
  if (!sound || !entries.every(({ key }) => typeof key === 'string')) return entries
  const keys = new Set(entries.map(({ key }) => key))
  if (keys.size < entries.length) throw new ApiError(fault('GEN-6', 'A key of a map occurs twice'))
  return Object.fromEntries(
    entries.map(({ key, value: item }) => [key, fromXml(schema.valueType as z.ZodType, item)]),
  )
}
