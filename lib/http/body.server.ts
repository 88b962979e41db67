import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { z } from 'zod'
import type { Syntax } from '#lib/http/accept.server'
import { ApiError, type ErrorCode, type Fault, fault } from '#lib/http/errors'

const MAX_BYTES = 1024 * 1024
const MAX_DEPTH = 64

const read = new WeakMap<Request, Promise<Buffer>>()

/** The body of a request, at most 1 MiB of it, however often it is asked for. Throws 413. */
export function bytesOf(request: Request): Promise<Buffer> {
  const bytes = read.get(request) ?? readBytes(request)
  read.set(request, bytes)
  return bytes
}

async function readBytes(request: Request): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES)
    throw new ApiError('413-PAYLOAD-TOO-LARGE')
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength
      if (size > MAX_BYTES) throw new ApiError('413-PAYLOAD-TOO-LARGE')
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

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** XML's own five entities and numeric references (XML 1.0 §4.1, §4.6); any other would have to be declared. */
function decodeReference(reference: string, name: string): string {
  const [, hex, decimal] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? []
  const code = hex ? Number.parseInt(hex, 16) : Number(decimal ?? 0)
  const character = Object.hasOwn(entities, name) ? entities[name] : code > 0 && String.fromCodePoint(code)
  if (!character) throw new Error(`${reference} is not declared`)
  return character
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  ignoreDeclaration: true,
  ignorePiTags: true,
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  entityDecoder: {
    decode: (text) => text.replaceAll(/&([^;&\s]+);/g, decodeReference),
    reset: () => {},
    setXmlVersion: () => {},
    addInputEntities: () => {},
    setExternalEntities: () => {},
  },
  // The root is not counted.
  maxNestedTags: MAX_DEPTH - 1,
  isArray: (name) => name === 'link',
  alwaysCreateTextNode: false,
})

/** Reads a document into plain objects; in XML every value is still text. Throws GEN-3. */
export function parseDocument(text: string, syntax: Syntax, root: string): unknown {
  const document = syntax === 'json' ? parseJson(text) : parseXml(text, root)
  if (depth(document) > MAX_DEPTH)
    throw new ApiError(fault('GEN-3', `The document is nested deeper than ${MAX_DEPTH}`))
  return withoutNulls(document)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ApiError(fault('GEN-3', 'The document is not valid JSON'), { cause })
  }
}

function parseXml(text: string, root: string): unknown {
  // Declarations of types and entities are refused before anything reads them: nothing is ever expanded.
  if (/<!(DOCTYPE|ENTITY)/i.test(text))
    throw new ApiError(fault('GEN-3', 'Document type declarations are refused'))
  if (XMLValidator.validate(text) !== true)
    throw new ApiError(fault('GEN-3', 'The document is not valid XML'))
  let parsed: Record<string, unknown>
  try {
    parsed = parser.parse(text) as Record<string, unknown>
  } catch (cause) {
    throw new ApiError(fault('GEN-3', 'The document is not valid XML'), { cause })
  }
  const [name, ...more] = Object.keys(parsed)
  if (name !== root || more.length > 0) throw new ApiError(fault('GEN-3', `The root element must be ${root}`))
  return contentOf(parsed[root])
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * What an element holds: its children by name, or its text, or nothing where it says so by xsi:nil. The model's `links` are
 * XML's repeated `link` elements; attributes count on those alone.
 */
function contentOf(element: unknown): unknown {
  if (Array.isArray(element)) return element.map(contentOf)
  if (!isFields(element)) return element
  const children = Object.entries(element).filter(([name]) => !name.startsWith('@') && name !== '#text')
  if (children.length === 0) return element['@nil'] === 'true' ? undefined : (element['#text'] ?? '')
  return Object.fromEntries(
    children.map(([name, child]) =>
      name === 'link' && Array.isArray(child) ? ['links', child.map(attributesOf)] : [name, contentOf(child)],
    ),
  )
}

const attributesOf = (element: unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(isFields(element) ? element : {}).flatMap(([name, value]) =>
      name.startsWith('@') ? [[name.slice(1), value]] : [],
    ),
  )

function depth(value: unknown, limit = MAX_DEPTH + 1): number {
  if (typeof value !== 'object' || value === null || limit === 0) return 0
  return 1 + Object.values(value).reduce((deepest, field) => Math.max(deepest, depth(field, limit - 1)), 0)
}

/** A null field is a missing field. (A reviver of JSON.parse would do it in fifteen times the time.) */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isFields(value)) return value ?? undefined
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutNulls(field)]))
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

/** `<entry><key/><value/></entry>…` (settled, point 32). What is no such list stays one that no map is made of. */
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

/** Checks a document against its schema; the faults carry the codes of the catalogue and name the property. */
export function validate<T>(schema: z.ZodType<T>, document: unknown): { value: T } | { faults: Fault[] } {
  const result = schema.safeParse(document, { reportInput: true })
  return result.success ? { value: result.data } : { faults: result.error.issues.map(toFault) }
}

function toFault(issue: z.core.$ZodIssue): Fault {
  const property = issue.path.join('.')
  const named = (code: ErrorCode, message: string) =>
    fault(code, property ? `${property}: ${message}` : message)
  if (issue.code === 'custom') {
    const { code = 'CONSTR-PATTERN', message } = (issue.params ?? {}) as {
      code?: ErrorCode
      message?: string
    }
    return code.startsWith('CONSTR-') ? named(code, message ?? issue.message) : fault(code, message)
  }
  if (issue.code === 'invalid_type') {
    const missing = issue.input === undefined || issue.input === null
    return missing && property
      ? named('CONSTR-NOTNULL', 'must not be missing')
      : named('GEN-3', `must be of type ${issue.expected}`)
  }
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    if (issue.origin === 'string' || issue.origin === 'array') return named('CONSTR-LENGTH', issue.message)
    return named(issue.code === 'too_small' ? 'CONSTR-MIN' : 'CONSTR-MAX', issue.message)
  }
  if (issue.code === 'invalid_format' && issue.format === 'email')
    return named('CONSTR-EMAIL', 'must be an e-mail address')
  return named('CONSTR-PATTERN', issue.message)
}

/** GEN-11 on create, GEN-16 where a document's id is not the path's. */
export function idFaults(document: unknown, creating: boolean, id: number | undefined): Fault[] {
  const sent = typeof document === 'object' && document !== null && 'id' in document ? document.id : undefined
  if (sent === undefined || sent === null) return []
  if (creating) return [fault('GEN-11')]
  return id !== undefined && Number(sent) !== id ? [fault('GEN-16')] : []
}
