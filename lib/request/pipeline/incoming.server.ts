import type { z } from 'zod'
import type { Caller } from '#lib/caller/auth/privileges'
import type { Authenticated } from '#lib/caller/auth/strategy.server'
import {
  acceptOf,
  bodyForm,
  jobFormat,
  type ListFormat,
  negotiate,
  negotiateList,
  negotiateProgress,
  negotiateStream,
} from '#lib/ground/http/accept.server'
import { boundBody, fromXml, readAs, readText, requireBounded, textOf } from '#lib/ground/http/body.server'
import type { Csv } from '#lib/ground/http/csv'
import { ApiError, fault } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { queryFaults } from '#lib/ground/http/issues'
import { baseOf } from '#lib/ground/http/origin.server'
import { formatQuery, queryFields } from '#lib/ground/http/paging'
import { ANY_ID } from '#lib/ground/http/path-ids'
import { stateIn, stateTag } from '#lib/ground/http/render.server'
import { urlOf } from '#lib/ground/http/route.server'
import { type MediaName, mediaNames, ownLink } from '#lib/ground/http/view'
import type { JobRun, Part } from '#lib/record/events/operation.server'
import { idempotencyKey } from '#lib/request/pipeline/idempotency.server'
import { keepPlace, largePlace, leavePlace } from '#lib/request/pipeline/large-bodies.server'
import { ASOF, asOf } from '#lib/request/pipeline/past.server'
import type { Report } from '#lib/request/pipeline/progress.server'
import { missingProof } from '#lib/request/pipeline/proof.server'
import {
  type Form,
  formsOf,
  type Operation,
  type Path,
  type ReadDocument,
  type Reads,
  type Segments,
  type Tables,
} from '#lib/request/pipeline/spec.server'

/* The inputs of a request, read and checked before its transaction. Only the body is checked in the transaction: its references need the database. */

type Received = { request: Exchange; authenticated: Authenticated; segments: Segments }

export type Incoming = Received & {
  params: Path<string>
  query: unknown
  /** The refusal of a faulty query. Thrown after the handler, because 404 precedes 400. */
  refused: ApiError | undefined
  document: unknown
  /** The identity of a large document, in place of the document itself. */
  content?: unknown
  /** The schema of the body that was sent. */
  schema: z.ZodObject | undefined
  format: ListFormat | undefined
  /** The Idempotency-Key, or its refusal. 404 precedes that. */
  key: string | ApiError | undefined
  /** The refusal of a request without a proof of identity. */
  unproved: ApiError | undefined
  prepared: unknown
  /** The moment to read, in microseconds since 1970; undefined: now. */
  moment: number | undefined
  /** The event data of an operation that is part of another. */
  part?: Part | undefined
  /** The request asks for a job, and its operation can run as one. */
  isForJob?: boolean
  /** The job that runs the operation. */
  job?: JobRun
  /** Takes how far the operation is. */
  report?: Report
}

export async function readIncoming(spec: Operation, received: Received): Promise<Incoming> {
  try {
    return await read(spec, received)
  } catch (error) {
    leavePlace(received.request)
    throw error
  }
}

async function read(spec: Operation, received: Received): Promise<Incoming> {
  const { request, authenticated, segments } = received
  if (spec.takes) requireAcceptable(spec, request)
  const { document, content, form } = await readDocument(spec, received)
  const params = pathIds(spec, segments)
  const { query, refused } = parseQuery(spec, request)
  const isForJob = prefersJob(spec, request, { document, query })
  const format = isForJob ? formatOfJob(request, form) : formatOf(request, form)
  const past = spec.asOf ? await asOf(request) : {}
  const unproved = await missingProof(spec.who, authenticated, { request, document, segments })
  const { caller, proof } = authenticated
  // The handler gets the result of the large document's reader.
  const prepared =
    spec.kind === 'writes' && spec.prepare
      ? await spec.prepare({ request, caller, params, document, proof })
      : content && document
  return {
    ...received,
    params,
    query,
    refused: refused ?? past.refused,
    document,
    content,
    schema: form.takes?.body,
    format,
    isForJob,
    // A key would be stored for the user whose view this is.
    key: authenticated.viewer ? undefined : keyOf(request),
    unproved,
    prepared,
    moment: past.moment,
  }
}

function keyOf(request: Exchange): string | ApiError | undefined {
  try {
    return idempotencyKey(request)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** If the client accepts none of the response types, the body is not read (docs/api/responses.md, "Order of refusals"). */
function requireAcceptable(spec: Operation, request: Exchange): void {
  const refusals = formsOf(spec).flatMap((form) => (form.answers?.as ? [refusalOf(request, form)] : []))
  const [refused] = refusals
  if (refused && refusals.every((each) => each !== undefined)) throw refused
}

function formatOf(request: Exchange, { answers }: Form<Operation>): ListFormat | undefined {
  const accept = acceptOf(request)
  const { as, alsoAs, stream, progress, follow } = answers ?? {}
  const csv = answers?.csv ?? namedTable(request, answers?.tables)
  if (stream) return negotiateStream(accept, stream)
  if (as && (progress || follow)) return negotiateProgress(accept, as)
  return as && (csv ? negotiateList(accept, as, csv) : negotiate(accept, as, alsoAs))
}

/** RFC 7240 §4.1. A dry run is answered at once. */
function prefersJob(
  spec: Operation,
  request: Exchange,
  { document, query }: { document: unknown; query: unknown },
): boolean {
  if (spec.kind !== 'writes' || !spec.job) return false
  const preferences = (request.headers.get('prefer') ?? '').toLowerCase().split(',')
  const isDry = (input: unknown) => (input as { dryrun?: unknown } | undefined)?.dryrun === true
  return (
    preferences.some((each) => each.split(';', 1)[0]?.trim() === 'respond-async') &&
    !isDry(document) &&
    !isDry(query)
  )
}

/** The answer is a job, also for clients that name only the media type of the answer without one. */
function formatOfJob(request: Exchange, form: Form<Operation>): ListFormat | undefined {
  try {
    return negotiate(acceptOf(request), 'job')
  } catch (error) {
    const format = formatOf(request, form)
    if (!format || format.syntax === 'csv' || format.syntax === 'stream') throw error
    return jobFormat(format)
  }
}

/** The table of the list that the query names. */
function namedTable(request: Exchange, tables: Tables | undefined): Csv<never> | undefined {
  const name = tables && urlOf(request).searchParams.getAll(tables.by).at(-1)
  return name !== undefined && Object.hasOwn(tables?.lists ?? {}, name) ? tables?.lists[name] : undefined
}

function refusalOf(request: Exchange, form: Form<Operation>): unknown {
  try {
    formatOf(request, form)
    return undefined
  } catch (error) {
    return error
  }
}

/** The parsed but unchecked body, and its form. The document is undefined if the body is optional and missing. */
async function readDocument(
  spec: Operation,
  { request, authenticated: { caller } }: Received,
): Promise<{ document: unknown; content?: unknown; form: Form<Operation> }> {
  const forms = formsOf(spec)
  const [form = {}] = forms
  if (!form.takes) return { document: undefined, form }
  const { reads } = form.takes
  // The reader checks the document, so the schema only describes it.
  if (reads) return { ...(await readLarge(reads, request, caller)), form: { ...form, takes: undefined } }
  const text = await readText(request)
  if (spec.takes?.optional && ['', 'null'].includes(text.trim())) return { document: undefined, form }
  const { syntax, names } = bodyForm(
    request.headers.get('content-type'),
    forms.flatMap(({ takes }) => takes?.as ?? []),
  )
  const { root, document } = readAs(text, syntax, names)
  const { or } = spec
  const name = root ?? (names.length > 1 && or && hasField(document, or.takes.by) ? or.takes.as : names[0])
  const chosen = forms.find(({ takes }) => takes?.as === name) ?? form
  if (syntax === 'json' || !chosen.takes) return { document, form: chosen }
  return { document: withId(fromXml(chosen.takes.body, document), document), form: chosen }
}

/** A large document in one of the types that its reader knows. Throws 413, 415, 429. */
async function readLarge(
  { largest, types }: Reads,
  request: Exchange,
  caller: Caller,
): Promise<ReadDocument> {
  const sent = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const read = Object.hasOwn(types, sent) ? types[sent] : undefined
  if (!read) throw new ApiError('415-UNSUPPORTED-MEDIA-TYPE')
  boundBody(request, largest)
  requireBounded(request)
  const received = largePlace(request, caller.id)
  received(Number(request.headers.get('content-length') ?? 0))
  const whole = await read(textOf(request, received), { request, caller })
  keepPlace(request)
  return whole
}

const hasField = (document: unknown, name: string): boolean =>
  typeof document === 'object' && document !== null && name in document

/** Keeps the id of the document, which is compared with the path but not validated by the schema. */
const withId = (fields: unknown, document: unknown): unknown =>
  typeof document === 'object' && document !== null && 'id' in document
    ? Object.assign({}, fields, { id: document.id })
    : fields

/** A segment that is not a number is 404 with the code of the resource. Zero is GEN-1. */
export function pathIds({ target }: Operation, segments: Segments): Path<string> {
  const { ids = {}, wildcard } = target ?? {}
  const read = Object.entries(ids).map(([name, code]) => {
    const text = String(segments[name])
    if (name === wildcard && text === '_') return [name, ANY_ID]
    if (/^0+$/.test(text)) throw new ApiError('GEN-1')
    if (!/^\d{1,15}$/.test(text)) throw new ApiError(code)
    return [name, Number(text)]
  })
  return Object.fromEntries(read)
}

/** PostgreSQL rejects null characters, so no query may contain one. Throws GEN-22. */
export function requireReadableQuery(request: Exchange): void {
  if (urlOf(request).search.includes('%00'))
    throw new ApiError(fault('GEN-22', 'The query must not contain a null character'))
}

/**
 * The query, and its faults. A faulty query is refused after the handler, which runs with the valid parameters: only the handler knows
 * whether the path names something that exists, and 404 precedes 400 (docs/api/responses.md, "Order of refusals").
 */
function parseQuery(
  { query: schema, answers, asOf: hasPast }: Operation,
  request: Exchange,
): Pick<Incoming, 'query' | 'refused'> {
  requireReadableQuery(request)
  if (!schema) return { query: undefined, refused: undefined }
  const sent = queryFields(schema, urlOf(request).searchParams)
  if (hasPast) delete sent[ASOF]
  const parsed = schema.safeParse(sent)
  const format = answers?.csv || answers?.tables ? formatQuery.safeParse(sent) : undefined
  const issues = [...(parsed.error?.issues ?? []), ...(format?.error?.issues ?? [])]
  if (parsed.success && issues.length === 0) return { query: parsed.data, refused: undefined }
  const refused = new ApiError(queryFaults(issues))
  const wrong = new Set(issues.map(({ path }) => path[0]))
  const rest = schema.safeParse(Object.fromEntries(Object.entries(sent).filter(([name]) => !wrong.has(name))))
  if (!rest.success) throw refused
  return { query: rest.data, refused }
}

/** Throws 412 if If-Match names another state of the document that a PUT or DELETE changes. */
export function requireCurrent({ takes, answers }: Operation, current: object, request: Exchange): void {
  const wanted = request.headers.get('if-match')
  if (!wanted || wanted.trim() === '*' || request.method === 'POST') return
  const name = takes?.as ?? answers?.as ?? nameOf(current)
  const states = (['json', 'xml'] as const).map((syntax) =>
    stateTag(current, { name, syntax, base: baseOf(request) }),
  )
  const isCurrent = wanted.split(',').some((tag) => states.includes(stateIn(tag)))
  if (!isCurrent) throw new ApiError('412-PRECONDITION-FAILED')
}

/** The media type of a document, from its link to itself. */
const nameOf = (document: object): MediaName => {
  const type = ownLink(document)?.type
  return type && Object.hasOwn(mediaNames, type) ? (type as MediaName) : 'errors'
}
