import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type Syntax, vendorType } from '#lib/http/accept.server'
import { type Csv, headerRow, rowOf } from '#lib/http/csv'
import { withoutSecrets } from '#lib/http/secrets'
import { type LinkDocument, type MediaName, mediaNames } from '#lib/http/view'

type Fields = Record<string, unknown>

/** A list as the domain returns it; its items may be a stream of batches. */
export type Listing = {
  links: LinkDocument[]
  totalSize: number
  collection: object[] | AsyncIterable<object[]>
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** The base of links, and the syntax that their media types name. */
type Look = { base: string; syntax: Syntax }

/** How a document of this media type is rendered. */
type Rendering = Look & { name: MediaName }

const hrefOf = ({ href }: LinkDocument, { base }: Look): string =>
  href.startsWith('/') ? `${base}/api${href}` : href

const typeOf = ({ type }: LinkDocument, { syntax }: Look): string | undefined =>
  type && vendorType(type, syntax)

const isThere = (field: unknown): boolean => field !== undefined && field !== null

/** The document for JSON, with absolute, typed links at every depth. A Map becomes an object with the client's keys. */
function jsonReady(value: unknown, look: Look): unknown {
  if (Array.isArray(value)) return value.map((item) => jsonReady(item, look))
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, item]) => [key, jsonReady(item, look)]))
  if (!isObject(value)) return value
  const fields: Fields = {}
  for (const name in value) {
    const field = value[name]
    if (isThere(field))
      fields[name] = name === 'links' ? jsonLinks(field as LinkDocument[], look) : jsonReady(field, look)
  }
  return fields
}

const jsonLinks = (links: readonly LinkDocument[], look: Look): LinkDocument[] =>
  links.map((link) => ({
    rel: link.rel,
    href: hrefOf(link, look),
    type: typeOf(link, look),
    title: link.title,
  }))

const json = (value: unknown, look: Look): string => JSON.stringify(jsonReady(value, look))

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const plain = /^[\w .:/\-+?=]*$/

/** Text for XML 1.0: escaped, with characters that XML does not allow replaced. */
function xmlText(value: unknown): string {
  const text = String(value)
  return plain.test(text) ? text : xmlEscaped(text)
}

const xmlEscaped = (text: string): string =>
  text
    .replace(/[&<>"]/g, (character) => escapes[character] ?? character)
    .replace(/\r/g, '&#13;')
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')

/** A parser turns line breaks and tabs of an attribute into spaces, unless they are references (XML 1.0 §3.3.3). */
const xmlAttribute = (value: unknown): string =>
  xmlText(value).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')

function xmlLink(link: LinkDocument, look: Look): string {
  const attributes = [
    ['title', link.title],
    ['rel', link.rel],
    ['type', typeOf(link, look)],
    ['href', hrefOf(link, look)],
  ].filter(([, value]) => value !== undefined)
  return `<link ${attributes.map(([name, value]) => `${name}="${xmlAttribute(value)}"`).join(' ')}/>`
}

/** Arrays become repeated elements. Maps become lists of entries, because a key need not be a valid XML name. */
function xmlField(name: string, value: unknown, look: Look): string {
  if (Array.isArray(value)) return value.map((item) => xmlField(name, item, look)).join('')
  if (value instanceof Map) {
    const entry = [...value].map(([key, item]) => ({ key: String(key), value: item }))
    return xmlElement(name, { entry }, look)
  }
  return isObject(value) ? xmlElement(name, value, look) : `<${name}>${xmlText(value)}</${name}>`
}

function xmlElement(name: string, fields: Fields, look: Look): string {
  const { links = [], ...others } = fields
  const content = Object.entries(others)
    .filter(([, field]) => isThere(field))
    .map(([field, value]) => xmlField(field, value, look))
  return `<${name}>${(links as LinkDocument[]).map((link) => xmlLink(link, look)).join('')}${content.join('')}</${name}>`
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

/** A single resource as text. */
export function renderDocument(document: object, { name, ...look }: Rendering): string {
  return look.syntax === 'json' ? json(document, look) : XML + xmlElement(name, { ...document }, look)
}

/** The parts of a rendered list: before the items, each item, between items, and after them. */
type Parts = { before: string; item: (view: object) => string; between: string; after: string }

function documentParts({ links, totalSize }: Listing, name: MediaName, look: Look): Parts {
  const item = mediaNames[name] ?? name
  if (look.syntax === 'json') {
    return {
      before: `{"links":${JSON.stringify(jsonLinks(links, look))},"collection":[`,
      item: (view: object) => json(view, look),
      between: ',',
      after: `],"totalSize":${totalSize}}`,
    }
  }
  const outer = links.map((link) => xmlLink(link, look)).join('')
  return {
    before: `${XML}<${name}>${outer}<totalSize>${totalSize}</totalSize>`,
    item: (view: object) => xmlElement(item, view as Fields, look),
    between: '',
    after: `</${name}>`,
  }
}

const tableParts = (csv: Csv<never>): Parts => ({
  before: headerRow(csv),
  item: (view) => rowOf(csv, view as never),
  between: '',
  after: '',
})

/** A list as text, or as a stream if its items are a stream: memory stays bounded for any size. */
export function renderListing(
  listing: Listing,
  { name, ...look }: Rendering,
): string | ReadableStream<Uint8Array> {
  return inPieces(listing, documentParts(listing, name, look))
}

/** The items of a list as a table. */
export const renderTable = (listing: Listing, csv: Csv<never>): string | ReadableStream<Uint8Array> =>
  inPieces(listing, tableParts(csv))

function inPieces({ collection }: Listing, given: Parts): string | ReadableStream<Uint8Array> {
  const item = (view: object) => given.item(withoutSecrets(view))
  const parts = { ...given, item }
  if (!(Symbol.asyncIterator in collection)) {
    return parts.before + collection.map(item).join(parts.between) + parts.after
  }
  return streamOf(listPieces(collection, parts))
}

async function* listPieces(chunks: AsyncIterable<object[]>, parts: Parts) {
  yield parts.before
  let between = ''
  for await (const chunk of chunks) {
    // SQLite answers at once, so a full export would block the event loop: other requests get a turn between batches.
    await setImmediate()
    yield between + chunk.map(parts.item).join(parts.between)
    between = parts.between
  }
  yield parts.after
}

/** Reads only as fast as the client does, and stops when the client disconnects. */
function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
}

/** The document of coded errors; it has no total (docs/api.md, "Error documents"). */
export function renderErrors(faults: readonly { code: string; message: string }[], syntax: Syntax): string {
  if (syntax === 'json') return JSON.stringify({ links: [], collection: faults })
  return `${XML}<errors>${faults.map((each) => xmlElement('error', each, { base: '', syntax })).join('')}</errors>`
}

/** A strong validator: it differs wherever one byte of the representation does. */
export const entityTag = (body: string): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
