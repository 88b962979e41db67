import type { z } from 'zod'
import { authenticate } from '#lib/auth/authenticate.server'
import { type Caller, can, type Privilege } from '#lib/auth/privileges'
import type { Session } from '#lib/auth/tokens.server'
import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import { bodySyntax, type Format, negotiate } from '#lib/http/accept.server'
import { fromXml, idFaults, parseDocument, readText, validate } from '#lib/http/body.server'
import { ApiError, type ErrorCode, type Fault, fault } from '#lib/http/errors'
import { baseOf } from '#lib/http/origin.server'
import { ANY_ID } from '#lib/http/path-ids'
import { entityTag, type Listing, renderDocument, renderListing } from '#lib/http/render.server'
import { answer, grantToken, type RouteContext } from '#lib/http/respond.server'
import { idOfLink, type LinkDocument, linkOf, type MediaName, mediaNames } from '#lib/http/view'

/** What an operation is given. `db` is a transaction in everything but GET. */
export type Context<P extends string = string, Q = unknown, B = unknown, D = Db> = {
  request: Request
  caller: Caller
  session: Session
  params: Record<P, number>
  query: Q
  body: B
  db: D
  /** Headers to add to the answer. */
  headers: Headers
}

type Found = Pick<Context<string, unknown, unknown, Db>, 'caller' | 'db'>

/** What a route declares of an operation; endpoint() does it in the order in which the contract refuses. */
export type Spec<P extends string, Q, B> = {
  /** The privileges of which one grants the operation; `user`: whoever is signed in. */
  anyOf: readonly Privilege[] | 'user'
  /** The ids in the path, each with the code for one that names nothing. */
  ids?: Record<P, ErrorCode>
  /** The id for which the path may say `_`: any that the caller sees (ANY_ID). */
  wildcard?: NoInfer<P>
  /** What must exist before the body is looked at; of a PUT and DELETE also what If-Match speaks of. */
  exists?: (context: Found & { params: Record<P, number> }) => Promise<object>
  query?: z.ZodType<Q>
  /** The media type of the body, and its schema. */
  takes?: MediaName
  body?: z.ZodObject & z.ZodType<B>
  /** Looks up what the body names; asked where the body has faults, so that those of links are told beside them. */
  references?: (context: Found & { params: Record<P, number> }, sound: Partial<B>) => Promise<unknown>
  /** The media type of the answer; without one the answer is 204. */
  answers?: MediaName
  /** The answer brings no new token: the session ends with it. */
  endsSession?: boolean
  /** Where it is not 201 for a POST and 200 for the rest. */
  status?: number
}

type Handler<P extends string, Q, B, D> = (context: Context<P, Q, B, D>) => Promise<unknown>

/** The handler of a GET. */
export const reads = <P extends string = never, Q = unknown>(
  spec: Spec<P, Q, never>,
  handle: Handler<P, Q, never, Db>,
): RouteHandler => endpoint(spec, handle, (work) => work(database().read))

/** The handler of a POST, PUT or DELETE: one request is one transaction, and is undone whole where anything refuses. */
export const writes = <P extends string = never, B = unknown>(
  spec: Spec<P, unknown, B>,
  handle: Handler<P, unknown, B, Trx>,
): RouteHandler => endpoint(spec, handle, (work) => transaction(work))

export type RouteHandler = (request: Request, context: RouteContext) => Promise<Response>

/** The only place that authenticates, authorizes, parses, renders and catches (settled, point 18: the order of refusals). */
function endpoint<P extends string, Q, B, D extends Db>(
  spec: Spec<P, Q, B>,
  handle: Handler<P, Q, B, D>,
  run: <T>(work: (db: D) => Promise<T>) => Promise<T>,
): RouteHandler {
  return (request, { params }) =>
    answer(request, async (trace) => {
      const { caller, session, inConsole } = await authenticate(request)
      trace.userId = caller.id
      if (spec.anyOf !== 'user' && !can(caller, spec.anyOf)) throw new ApiError('403-FORBIDDEN')
      const format = spec.answers && negotiate(request.headers.get('accept'), spec.answers)
      const document = spec.takes && (await readDocument(spec.takes, spec.body, request))
      const ids = pathIds(spec, await params)
      const { query, refused } = parseQuery(spec.query, request)
      const headers = new Headers()
      const result = await run(async (db) => {
        await requireCurrent(spec, { caller, db, params: ids }, request)
        const body = await checkBody(spec, { caller, db, params: ids }, document, request)
        const answered = await handle({ request, caller, session, params: ids, query, body, db, headers })
        if (refused) throw refused
        return answered
      })
      if (!inConsole && !spec.endsSession) grantToken(request, headers, session)
      return respond(spec, result, format, request, headers)
    })
}

async function readDocument(
  name: MediaName,
  schema: z.ZodType | undefined,
  request: Request,
): Promise<unknown> {
  const text = await readText(request)
  const syntax = bodySyntax(request.headers.get('content-type'), name)
  const document = parseDocument(text, syntax, name)
  return syntax === 'xml' && schema ? withId(fromXml(schema, document), document) : document
}

/** The id is compared, not validated: it is kept beside the fields of the schema. */
const withId = (fields: unknown, document: unknown): unknown =>
  typeof document === 'object' && document !== null && 'id' in document
    ? Object.assign({}, fields, { id: document.id })
    : fields

/** A word that is no id names nothing: 404 with the resource's own code. Zero is GEN-1. */
function pathIds<P extends string>(
  spec: Pick<Spec<P, unknown, unknown>, 'ids' | 'wildcard'>,
  params: RouteParams,
): Record<P, number> {
  const ids = Object.entries(spec.ids ?? {}) as [P, ErrorCode][]
  const read = ids.map(([name, code]) => {
    const text = String(params[name])
    if (name === spec.wildcard && text === '_') return [name, ANY_ID]
    if (/^0+$/.test(text)) throw new ApiError('GEN-1')
    if (!/^\d{1,15}$/.test(text)) throw new ApiError(code)
    return [name, Number(text)]
  })
  return Object.fromEntries(read) as Record<P, number>
}

type RouteParams = Awaited<RouteContext['params']>

/**
 * The query; where it is refused, why, and what it is by default: the operation runs with that, for it is the first to know
 * whether what the path names exists, and a 404 goes before a 400 (settled, point 18).
 */
function parseQuery<Q>(schema: z.ZodType<Q> | undefined, request: Request): { query: Q; refused?: ApiError } {
  if (!schema) return { query: undefined as Q }
  // Of a key that is there twice the last one counts (contract, section 1).
  const parsed = schema.safeParse(Object.fromEntries(new URL(request.url).searchParams))
  if (parsed.success) return { query: parsed.data }
  const faults = parsed.error.issues.map(({ message, ...issue }) => {
    const byField = issue.code === 'custom' && issue.params?.code === 'QUERY-0'
    return fault(byField ? 'QUERY-0' : 'GEN-22', message)
  })
  const refused = new ApiError(faults)
  const defaults = schema.safeParse({})
  if (!defaults.success) throw refused
  return { query: defaults.data, refused }
}

async function requireCurrent<P extends string>(
  spec: Pick<Spec<P, unknown, unknown>, 'exists' | 'takes' | 'answers'>,
  context: Found & { params: Record<P, number> },
  request: Request,
): Promise<void> {
  const current = await spec.exists?.(context)
  const wanted = request.headers.get('if-match')
  if (!current || !wanted || wanted.trim() === '*' || request.method === 'POST') return
  const name = spec.takes ?? spec.answers ?? nameOf(current)
  const tags = (['json', 'xml'] as const).map((syntax) =>
    entityTag(renderDocument(current, name, syntax, baseOf(request))),
  )
  const given = wanted.split(',').map((tag) => tag.trim())
  if (!given.some((tag) => tags.includes(tag))) throw new ApiError('412-PRECONDITION-FAILED')
}

/** The media type that a document's link to itself names. */
const nameOf = (document: object): MediaName => {
  const links = 'links' in document ? (document.links as LinkDocument[]) : []
  const own = linkOf({ links }, 'edit') ?? linkOf({ links }, 'self')
  return own?.type && Object.hasOwn(mediaNames, own.type) ? (own.type as MediaName) : 'errors'
}

async function checkBody<P extends string, Q, B>(
  spec: Spec<P, Q, B>,
  context: Found & { params: Record<P, number> },
  document: unknown,
  request: Request,
): Promise<B> {
  if (!spec.body) return undefined as B
  const own = Object.values<number>(context.params).at(-1)
  const creating = request.method === 'POST' && (spec.status ?? 201) === 201
  const result = validate(spec.body, document)
  const faults: Fault[] = [...idFaults(document, creating, own), ...('faults' in result ? result.faults : [])]
  if ('value' in result && faults.length === 0) return result.value
  throw new ApiError([
    ...faults,
    ...(await faultsOf(spec.references?.(context, soundFields(spec.body, document)))),
  ])
}

/** Those fields of a faulty document that are sound by themselves. */
function soundFields<B>(schema: z.ZodObject & z.ZodType<B>, document: unknown): Partial<B> {
  const fields =
    typeof document === 'object' && document !== null ? (document as Record<string, unknown>) : {}
  const sound = Object.entries(schema.shape).map(
    ([name, field]) => [name, (field as z.ZodType).safeParse(fields[name])] as const,
  )
  return Object.fromEntries(
    sound.flatMap(([name, { success, data }]) => (success ? [[name, data]] : [])),
  ) as Partial<B>
}

async function faultsOf(check: Promise<unknown> | undefined): Promise<readonly Fault[]> {
  try {
    await check
    return []
  } catch (error) {
    if (error instanceof ApiError) return error.faults
    throw error
  }
}

function respond(
  spec: Pick<Spec<string, unknown, unknown>, 'answers' | 'status'>,
  result: unknown,
  format: Format | undefined,
  request: Request,
  headers: Headers,
): Response {
  if (!spec.answers || !format || typeof result !== 'object' || result === null) {
    return new Response(null, { status: 204, headers: noStore(headers) })
  }
  headers.set('content-type', format.type)
  if (mediaNames[spec.answers] !== null) {
    const body = renderListing(result as Listing, spec.answers, format.syntax, baseOf(request))
    return new Response(body, { status: spec.status ?? 200, headers: noStore(headers) })
  }
  const body = renderDocument(result, spec.answers, format.syntax, baseOf(request))
  const status = spec.status ?? (request.method === 'POST' ? 201 : 200)
  return single(body, result, status, request, headers)
}

/** A single resource: with its validator, and on creation its address. */
function single(body: string, result: object, status: number, request: Request, headers: Headers): Response {
  const links = 'links' in result ? (result.links as LinkDocument[]) : []
  const own = linkOf({ links }, 'edit') ?? linkOf({ links }, 'self')
  if (!own || idOfLink(own) === undefined) return new Response(body, { status, headers: noStore(headers) })
  const tag = entityTag(body)
  headers.set('etag', tag)
  headers.set('cache-control', 'private, no-cache')
  if (status === 201) headers.set('location', `${baseOf(request)}/api${own.href}`)
  const known = (request.headers.get('if-none-match') ?? '')
    .split(',')
    .map((text) => text.trim().replace(/^W\//, ''))
  if (['GET', 'HEAD'].includes(request.method) && (known.includes(tag) || known.includes('*'))) {
    headers.delete('content-type')
    return new Response(null, { status: 304, headers })
  }
  return new Response(body, { status, headers })
}

function noStore(headers: Headers): Headers {
  headers.set('cache-control', 'no-store')
  return headers
}
