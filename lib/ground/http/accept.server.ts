import { env } from '#lib/ground/env.server'
import type { Csv } from '#lib/ground/http/csv'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { urlOf } from '#lib/ground/http/route.server'
import type { MediaName } from '#lib/ground/http/view'

/*
 * Content negotiation (docs/api/conventions.md, "Media types"). negotiator 1.1.0 compares parameters: `; version=4.0` would be 406 unless they are
 * removed first. With that it takes 2.4 µs per header, this code 0.7 µs, and it accepts a wildcard for all text types.
 */

export type Syntax = 'json' | 'xml'

/** The negotiated format of a response: its syntax, the matched media type, and the name of the document. */
type Format = { syntax: Syntax; type: string; name: MediaName }

const CSV = 'text/csv'
export const EVENT_STREAM = 'text/event-stream'
/** RFC 7644 §8.1. */
export const SCIM = 'application/scim+json'

/** A list may also be sent as CSV. */
export type ListFormat =
  | Format
  | { syntax: 'csv'; type: string; name: MediaName; csv: Csv<never> }
  | { syntax: 'stream'; type: string; name: MediaName }

export const vendorType = (name: string, syntax: Syntax): string =>
  `application/vnd.${env().VENDOR}.${name}+${syntax}`

/** The media types of a header without parameters: accepted ones, best first, and refused ones (q=0). */
function ranges(header: string): { wanted: string[]; refused: Set<string> } {
  const parsed = header.split(',').map((part, index) => {
    const pieces = part.split(';').map((piece) => piece.replaceAll(/\s/g, '').toLowerCase())
    const [type = '', ...parameters] = pieces.filter(Boolean)
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    const quality = q === undefined ? 1 : Number(q.slice(2))
    return { type, quality: Number.isNaN(quality) ? 1 : quality, index }
  })
  const named = parsed.filter(({ type }) => type !== '')
  const wanted = named
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || a.index - b.index)
  return {
    wanted: wanted.map(({ type }) => type),
    refused: new Set(named.filter(({ quality }) => quality <= 0).map(({ type }) => type)),
  }
}

const plainTypes: Record<string, Syntax> = {
  'application/json': 'json',
  'text/json': 'json',
  'application/xml': 'xml',
  'text/xml': 'xml',
}

const ownFormats = (name: MediaName): Format[] => [
  { type: vendorType(name, 'json'), syntax: 'json', name },
  { type: vendorType(name, 'xml'), syntax: 'xml', name },
]

const scimTypes = [SCIM, 'application/json']
const scimFormats: readonly Format[] = scimTypes.map((type) => ({ type, syntax: 'json', name: 'scim' }))

const knownFormats = new Map<string, readonly Format[]>()

/** The formats of a resource, the default first. */
function formats(name: MediaName, other?: MediaName): readonly Format[] {
  const key = `${env().VENDOR} ${name} ${other}`
  const known = knownFormats.get(key)
  if (known) return known
  if (name === 'scim') return scimFormats
  const plain = Object.entries(plainTypes).map(([type, syntax]) => ({ type, syntax, name }))
  const all = [...ownFormats(name), ...plain, ...(other ? ownFormats(other) : [])]
  knownFormats.set(key, all)
  return all
}

const fits = (type: string, range: string): boolean =>
  range === '*/*' || range === type || (range === 'application/*' && type.startsWith('application/'))

/** Old clients expect an asynchronous response to a change. Here every change is complete (docs/api/existing-clients.md, "Existing clients"). */
const isForLater = (range: string): boolean =>
  range.includes('acceptedrequest') &&
  (['json', 'xml'] as const).some((syntax) => range === vendorType('acceptedrequest', syntax))

/** RFC 9110 §12.5.1. Throws 406. */
function choose<F extends ListFormat>(accept: string | null, formats: readonly F[]): F {
  const { wanted, refused } = ranges(accept?.trim() ? accept : '*/*')
  const offered = formats.filter(({ type }) => !refused.has(type))
  for (const range of wanted) {
    const format = offered.find(({ type }) => fits(type, isForLater(range) ? '*/*' : range))
    if (format) return format
  }
  throw new ApiError('406-NOT-ACCEPTABLE')
}

/** Negotiates the format of the response. Throws 406. */
export const negotiate = (accept: string | null, name: MediaName, other?: MediaName): Format =>
  choose(accept, formats(name, other))

/** The same for a list that is also offered as CSV. */
export const negotiateList = (accept: string | null, name: MediaName, csv: Csv<never>): ListFormat =>
  choose<ListFormat>(accept, [...formats(name), { syntax: 'csv', type: CSV, name, csv }])

/** The format of a stream of these documents. */
export const negotiateStream = (accept: string | null, name: MediaName): ListFormat =>
  choose<ListFormat>(accept, [{ syntax: 'stream', type: EVENT_STREAM, name }])

/** The format of a change that may report its progress. */
export const negotiateProgress = (accept: string | null, name: MediaName): ListFormat =>
  choose<ListFormat>(accept, [...formats(name), { syntax: 'stream', type: EVENT_STREAM, name }])

/** The format of a job where another document was negotiated. */
export const jobFormat = (format: ListFormat): ListFormat =>
  format.syntax === 'csv' || format.syntax === 'stream' || format.name === 'job'
    ? format
    : {
        syntax: format.syntax,
        name: 'job',
        type: Object.hasOwn(plainTypes, format.type) ? format.type : vendorType('job', format.syntax),
      }

/** The media types that the request accepts. The query wins over the header, because a link in a page can set only the query. */
export const acceptOf = (request: Exchange): string | null =>
  request.url.includes('?') && urlOf(request).searchParams.getAll('format').at(-1) === 'csv'
    ? CSV
    : request.headers.get('accept')

export const PROBLEM = 'application/problem+json'

/** The format of an error: RFC 9457 if the request names it, XML if the first accepted type is XML, else JSON. */
export function errorFormat(accept: string | null): Omit<Format, 'name'> {
  const { wanted } = ranges(accept ?? '')
  if (wanted.includes(SCIM)) return { type: SCIM, syntax: 'json' }
  if (wanted.includes(PROBLEM)) return { type: PROBLEM, syntax: 'json' }
  const first = wanted.find(
    (range) =>
      !isForLater(range) && (range.endsWith('json') || range.endsWith('xml') || range.endsWith('/*')),
  )
  if (!first || first.endsWith('/*')) return { type: vendorType('errors', 'json'), syntax: 'json' }
  const syntax = first.endsWith('xml') ? 'xml' : 'json'
  return { type: Object.hasOwn(plainTypes, first) ? first : vendorType('errors', syntax), syntax }
}

/** The syntax of a body, and the document names that its media type allows (docs/api/conventions.md, "Media types"). Throws 415. */
export function bodyForm<Name extends MediaName>(
  contentType: string | null,
  names: readonly Name[],
): { syntax: Syntax; names: readonly Name[] } {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (names.some((name) => name === 'scim')) {
    if (scimTypes.includes(type)) return { syntax: 'json', names }
    throw new ApiError('415-UNSUPPORTED-MEDIA-TYPE')
  }
  const plain = Object.hasOwn(plainTypes, type) ? plainTypes[type] : undefined
  if (plain) return { syntax: plain, names }
  for (const syntax of ['json', 'xml'] as const) {
    const name = names.find((each) => type === vendorType(each, syntax))
    if (name) return { syntax, names: [name] }
  }
  throw new ApiError('415-UNSUPPORTED-MEDIA-TYPE')
}
