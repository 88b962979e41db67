import { EVENT_STREAM, type ListFormat, type Syntax } from '#lib/ground/http/accept.server'
import { type Answer, type AnswerHeaders, answerOf } from '#lib/ground/http/answer.server'
import { compressed } from '#lib/ground/http/compress.server'
import type { Csv } from '#lib/ground/http/csv'
import { cutShort } from '#lib/ground/http/cut-short.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { tokenHeader } from '#lib/ground/http/names.server'
import { baseOf } from '#lib/ground/http/origin.server'
import {
  entityTag,
  type Listing,
  renderDocument,
  renderListing,
  renderSections,
  renderTable,
  type Sections,
} from '#lib/ground/http/render.server'
import { urlOf } from '#lib/ground/http/route.server'
import { holdsSecret } from '#lib/ground/http/secrets'
import { mediaNames, ownLink } from '#lib/ground/http/view'
import type { Opening } from '#lib/request/pipeline/spec.server'

/* The result of an operation as a response. */

type Answering = {
  request: Exchange
  headers: AnswerHeaders
  /** The ETag of the response that is repeated, and its syntax. */
  firstTag?: { value: string; syntax: Syntax }
  /** Past documents have no ETag. */
  isPast?: boolean
}

export async function representStream(
  open: Opening,
  { request, headers }: Pick<Answering, 'request' | 'headers'>,
): Promise<Answer> {
  const body = cutShort(await open(), request)
  headers.set('content-type', EVENT_STREAM)
  // nginx would hold messages back until its buffer is full.
  headers.set('x-accel-buffering', 'no')
  return answerOf(body, { headers: noStore(headers) })
}

/** A success in the negotiated format; 204 without a document. */
export function represent(
  result: unknown,
  {
    format,
    status: declared,
    request,
    headers,
    firstTag,
    isPast,
  }: Answering & { format?: ListFormat; status?: number },
): Answer {
  if (!format || typeof result !== 'object' || result === null) {
    return answerOf(null, { status: 204, headers: noStore(headers) })
  }
  if (format.syntax === 'stream') throw new Error('A stream has no document')
  if (format.syntax === 'csv') return table(result as Listing, format.csv, { request, headers })
  headers.set('content-type', format.type)
  if (format.name === 'scim') return scim(result, { status: declared, request, headers })
  const rendering = { name: format.name, syntax: format.syntax, base: baseOf(request) }
  const status = declared ?? (request.method === 'POST' ? 201 : 200)
  if ('sections' in result) return sections(result as Sections, { rendering, status, request, headers })
  if (mediaNames[format.name] !== null) {
    const body = cutShort(renderListing(result as Listing, rendering), request)
    const sent = isWhole(request) ? compressed(body, request, headers) : body
    return answerOf(sent, { status, headers: noStore(headers) })
  }
  const body = renderDocument(result, rendering)
  const isUntagged = isPast === true || (firstTag !== undefined && firstTag.syntax !== format.syntax)
  const tag = isUntagged ? undefined : () => firstTag?.value ?? entityTag(result, rendering, body)
  return single(body, result, { status, request, headers, tag })
}

/** The version of a resource is its entity tag, a weak one because each `attributes` has other bytes (RFC 7644 §3.14). */
function scim(
  result: object,
  {
    status: declared,
    request,
    headers,
  }: Pick<Answering, 'request' | 'headers'> & { status?: number | undefined },
): Answer {
  const status = declared ?? (request.method === 'POST' ? 201 : 200)
  const { meta } = result as { meta?: { location?: string; version?: string } }
  const { version } = meta ?? {}
  headers.set('cache-control', version && !bringsToken(headers) ? 'private, no-cache' : 'no-store')
  if (version) headers.set('etag', version)
  if (status === 201 && meta?.location) headers.set('location', meta.location)
  const known = request.headers.get('if-none-match')?.split(',') ?? []
  if (version && request.method === 'GET' && known.some((tag) => tag.trim() === version)) {
    headers.delete('content-type')
    return answerOf(null, { status: 304, headers })
  }
  return answerOf(JSON.stringify(result), { status, headers })
}

type Rendered = { rendering: Parameters<typeof renderSections>[1]; status: number }

function sections(result: Sections, { rendering, status, request, headers }: Answering & Rendered): Answer {
  noStore(headers)
  if (result.tag) headers.set('etag', result.tag)
  if (result.isUnchanged) {
    headers.delete('content-type')
    return answerOf(null, { status: 304, headers })
  }
  const own = ownLink(result.head)
  if (own && status === 201) headers.set('location', `${baseOf(request)}/api${own.href}`)
  const body = cutShort(renderSections(result, rendering), request)
  return answerOf(compressed(body, request, headers), { status, headers })
}

const isWhole = (request: Exchange): boolean =>
  request.url.includes('?') && urlOf(request).searchParams.getAll('limit').at(-1) === '0'

/** A list as a download. The first row contains the names of the columns (RFC 4180 §3). */
function table(listing: Listing, csv: Csv<never>, { request, headers }: Answering): Answer {
  headers.set('content-type', 'text/csv; charset=utf-8; header=present')
  headers.set('content-disposition', `attachment; filename="${csv.filename}.csv"`)
  const body = compressed(cutShort(renderTable(listing, csv), request), request, headers)
  return answerOf(body, { headers: noStore(headers) })
}

/** A single resource, with its entity tag, and its address if it was created. */
function single(
  body: string,
  result: object,
  { status, request, headers, tag: tagOf }: Answering & { status: number; tag: (() => string) | undefined },
): Answer {
  const own = ownLink(result)
  if (!own) return answerOf(body, { status, headers: noStore(headers) })
  const tag = tagOf?.()
  if (tag) headers.set('etag', tag)
  headers.set('cache-control', bringsToken(headers) || holdsSecret(result) ? 'no-store' : 'private, no-cache')
  if (status === 201 || status === 202) headers.set('location', `${baseOf(request)}/api${own.href}`)
  const sent = request.headers.get('if-none-match')
  if (sent !== null && tag && ['GET', 'HEAD'].includes(request.method)) {
    const known = sent.split(',').map((text) => text.trim().replace(/^W\//, ''))
    if (known.includes(tag) || known.includes('*')) {
      headers.delete('content-type')
      return answerOf(null, { status: 304, headers })
    }
  }
  return answerOf(body, { status, headers })
}

/** A response with a token or a session must not be cached (docs/api/responses.md, "Entity tags and caching"). */
const bringsToken = (headers: AnswerHeaders): boolean =>
  headers.has(tokenHeader()) || headers.has('set-cookie')

function noStore(headers: AnswerHeaders): AnswerHeaders {
  headers.set('cache-control', 'no-store')
  return headers
}
