import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Syntax } from '#lib/ground/http/accept.server'
import { type Csv, headerRow, rowOf } from '#lib/ground/http/csv'
import { jsonWriter, xmlWriter } from '#lib/ground/http/documents.server'
import type { Fault } from '#lib/ground/http/errors'
import { withoutReports } from '#lib/ground/http/reports'
import { withoutSecrets } from '#lib/ground/http/secrets'
import { type LinkDocument, type MediaName, mediaNames } from '#lib/ground/http/view'

/** A list as the domain returns it; its items may be a stream of batches. */
export type Listing = {
  links: LinkDocument[]
  totalSize: number
  collection: object[] | AsyncIterable<object[]>
}

/** How a document of this media type is rendered. */
type Rendering = { base: string; syntax: Syntax; name: MediaName }

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

/** A single resource as text. */
export const renderDocument = (document: object, { name, syntax, base }: Rendering): string =>
  syntax === 'json' ? jsonWriter(base)(document) : XML + xmlWriter(base)(name, document)

/** A document of several lists, each a stream of batches, behind its other fields. */
export type Sections = {
  head?: { links: LinkDocument[] } & Record<string, unknown>
  sections: { name: string; items: AsyncIterable<object[]> }[]
  /** The ETag, if there is one. */
  tag?: string
  /** The client has this document: 304. */
  isUnchanged?: boolean
}

/** The parts of a rendered list: before the items, each item, between items, and after them. */
type Parts = { before: string; item: (view: object) => string; between: string; after: string }

function listParts({ links, totalSize }: Listing, { name, syntax, base }: Rendering): Parts {
  if (syntax === 'json') {
    const write = jsonWriter(base)
    const before = `${write({ links }).slice(0, -1)},"collection":[`
    return { before, item: write, between: ',', after: `],"totalSize":${totalSize}}` }
  }
  const write = xmlWriter(base)
  const after = `</${name}>`
  return {
    before: XML + write(name, { links, totalSize }).slice(0, -after.length),
    item: (view) => write(mediaNames[name] ?? name, view),
    between: '',
    after,
  }
}

const tableParts = (csv: Csv<never>): Parts => ({
  before: headerRow(csv),
  item: (view) => rowOf(csv, view as never),
  between: '',
  after: '',
})

/** A list as text, or as a stream if its items are a stream: memory stays bounded for any size. */
export const renderListing = (listing: Listing, rendering: Rendering): string | ReadableStream<Uint8Array> =>
  inPieces(listing, listParts(listing, rendering))

/** The items of a list as a table. */
export const renderTable = (
  { collection, ...listing }: Listing,
  csv: Csv<never>,
): string | ReadableStream<Uint8Array> =>
  inPieces(
    { ...listing, collection: csv.rows ? withRows(collection, csv.rows) : collection },
    tableParts(csv),
  )

async function* withRows(
  collection: Listing['collection'],
  rows: NonNullable<Csv<never>['rows']>,
): AsyncGenerator<object[]> {
  if (!(Symbol.asyncIterator in collection)) yield await rows(collection as never[])
  else for await (const views of collection) yield await rows(views as never[])
}

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

/** A document of several lists as a stream: memory stays bounded for any size. */
export function renderSections(
  { head = { links: [] }, sections }: Sections,
  { name, syntax, base }: Rendering,
): ReadableStream<Uint8Array> {
  const isJson = syntax === 'json'
  const [writeJson, writeXml] = [jsonWriter(base), xmlWriter(base)]
  const after = `</${name}>`
  const openXml = () => writeXml(name, head).slice(0, -after.length)
  async function* written() {
    yield isJson ? writeJson(head).slice(0, -1) : XML + openXml()
    for (const section of sections) {
      const item = isJson ? writeJson : (view: object) => writeXml(section.name, view)
      const [before, between, after] = isJson ? [`,"${section.name}":[`, ',', ']'] : ['', '', '']
      yield* listPieces(section.items, { before, item, between, after })
    }
    yield isJson ? '}' : after
  }
  return streamOf(written())
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

/** The document of coded errors; it has no total (docs/api/errors.md, "Error documents"). XML has no fields, because older clients refuse unknown elements. */
export function renderErrors(faults: readonly Fault[], syntax: Syntax): string {
  if (syntax === 'json') return JSON.stringify({ links: [], collection: faults })
  return XML + xmlWriter('')('errors', { error: faults.map(({ code, message }) => ({ code, message })) })
}

const hashOf = (body: string): string => hash('sha256', body, 'base64url').slice(0, 27)

/** The part of the tag that If-Match looks at: reports of a gateway are no change that a write could undo. */
export const stateTag = (document: object, rendering: Rendering): string =>
  hashOf(renderDocument(withoutReports(document), rendering))

/** Of a tag as a client sends it. */
export const stateIn = (tag: string): string => /^"([^".]*)(\.[^"]*)?"$/.exec(tag.trim())?.[1] ?? ''

/** A strong validator: it differs wherever one byte of the representation does. With reports of a gateway it is `"STATE.WHOLE"`. */
export function entityTag(
  document: object,
  rendering: Rendering,
  body = renderDocument(document, rendering),
) {
  const whole = hashOf(body)
  return withoutReports(document) === document ? `"${whole}"` : `"${stateTag(document, rendering)}.${whole}"`
}
