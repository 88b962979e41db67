import { createHash } from 'node:crypto'
import { type Syntax, vendorType } from '#lib/http/accept.server'
import { type Csv, headerRow, rowOf } from '#lib/http/csv'
import { type LinkDocument, type MediaName, mediaNames } from '#lib/http/view'

type Fields = Record<string, unknown>

/** A representation as the domain gives it, or a list whose items may still be on their way. */
export type Listing = {
  links: LinkDocument[]
  totalSize: number
  collection: object[] | AsyncIterable<object[]>
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const absolute = (link: LinkDocument, base: string, syntax: Syntax): LinkDocument => ({
  ...link,
  href: link.href.startsWith('/') ? `${base}/api${link.href}` : link.href,
  ...(link.type && { type: vendorType(link.type, syntax) }),
})

/** The document with its links made absolute and typed, at every depth. A Map is a map, whose names are the client's. */
function resolved(value: unknown, base: string, syntax: Syntax): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(item, base, syntax))
  if (value instanceof Map) {
    const entries = [...value].map(([key, item]) => [String(key), resolved(item, base, syntax)] as const)
    // What XML allows in a name is less than a key may be (settled, point 32).
    return syntax === 'json'
      ? Object.fromEntries(entries)
      : { entry: entries.map(([key, item]) => ({ key, value: item })) }
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value).filter(([, field]) => field !== undefined && field !== null)
  return Object.fromEntries(
    entries.map(([name, field]) =>
      name === 'links'
        ? [name, (field as LinkDocument[]).map((link) => absolute(link, base, syntax))]
        : [name, isObject(field) ? resolved(field, base, syntax) : field],
    ),
  )
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text for XML 1.0: escaped, and what XML cannot carry at all replaced. */
const xmlText = (value: unknown): string =>
  String(value)
    .replace(/[&<>"]/g, (character) => escapes[character] ?? character)
    .replace(/\r/g, '&#13;')
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')

/** A reader makes a space of each line break and tab of an attribute (XML 1.0 §3.3.3), unless it is a reference. */
const xmlAttribute = (value: unknown): string =>
  xmlText(value).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')

const xmlLink = ({ title, rel, type, href }: LinkDocument): string => {
  const attributes = Object.entries({ title, rel, type, href }).filter(([, value]) => value !== undefined)
  return `<link ${attributes.map(([name, value]) => `${name}="${xmlAttribute(value)}"`).join(' ')}/>`
}

/** Arrays are repeated elements of the field's name; maps are lists of entries. */
function xmlField(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => xmlField(name, item)).join('')
  return isObject(value) ? xmlElement(name, value) : `<${name}>${xmlText(value)}</${name}>`
}

function xmlElement(name: string, fields: Fields): string {
  const { links = [], ...others } = fields
  const content = Object.entries(others).map(([field, value]) => xmlField(field, value))
  return `<${name}>${(links as LinkDocument[]).map(xmlLink).join('')}${content.join('')}</${name}>`
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

/** A single resource as text. */
export function renderDocument(document: object, name: MediaName, syntax: Syntax, base: string): string {
  const fields = resolved(document, base, syntax) as Fields
  return syntax === 'json' ? JSON.stringify(fields) : XML + xmlElement(name, fields)
}

/** How a list is written in pieces: what comes before its items, each item, what stands between and after them. */
type Parts = { before: string; item: (view: object) => string; between: string; after: string }

function documentParts({ links, totalSize }: Listing, name: MediaName, syntax: Syntax, base: string): Parts {
  const outer = links.map((link) => absolute(link, base, syntax))
  const item = mediaNames[name] ?? name
  if (syntax === 'json') {
    return {
      before: `{"links":${JSON.stringify(outer)},"collection":[`,
      item: (view: object) => JSON.stringify(resolved(view, base, syntax)),
      between: ',',
      after: `],"totalSize":${totalSize}}`,
    }
  }
  return {
    before: `${XML}<${name}>${outer.map(xmlLink).join('')}<totalSize>${totalSize}</totalSize>`,
    item: (view: object) => xmlElement(item, resolved(view, base, syntax) as Fields),
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

/** A list as text, or as a stream where its items come in pieces: memory stays bounded whatever its size. */
export const renderListing = (
  listing: Listing,
  name: MediaName,
  syntax: Syntax,
  base: string,
): string | ReadableStream<Uint8Array> => inPieces(listing, documentParts(listing, name, syntax, base))

/** The items of a list as a table. */
export const renderTable = (listing: Listing, csv: Csv<never>): string | ReadableStream<Uint8Array> =>
  inPieces(listing, tableParts(csv))

function inPieces({ collection }: Listing, parts: Parts): string | ReadableStream<Uint8Array> {
  if (!(Symbol.asyncIterator in collection)) {
    return parts.before + collection.map(parts.item).join(parts.between) + parts.after
  }
  return streamOf(listPieces(collection, parts))
}

async function* listPieces(chunks: AsyncIterable<object[]>, parts: Parts) {
  yield parts.before
  let between = ''
  for await (const chunk of chunks) {
    yield between + chunk.map(parts.item).join(parts.between)
    between = parts.between
  }
  yield parts.after
}

/** Reads on only as fast as the client does; a client that leaves ends the reading. */
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

/** The document of coded errors (contract, section 3); it has no total. */
export function renderErrors(faults: readonly { code: string; message: string }[], syntax: Syntax): string {
  if (syntax === 'json') return JSON.stringify({ links: [], collection: faults })
  return `${XML}<errors>${faults.map((each) => xmlElement('error', each)).join('')}</errors>`
}

/** A strong validator: it differs wherever one byte of the representation does. */
export const entityTag = (body: string): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
