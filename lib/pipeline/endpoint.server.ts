import { writeConsoleSession } from '#lib/auth/console-cookie.server'
import type { ReadContext } from '#lib/auth/context.server'
import type { Authenticated, Maker } from '#lib/auth/strategy.server'
import type { Session } from '#lib/auth/tokens.server'
import { type Db, database, inPast, type Trx, transaction } from '#lib/db/db.server'
import type { Context, Inner } from '#lib/events/operation.server'
import { recordChange } from '#lib/events/record.server'
import type { StoredChanges } from '#lib/events/stored'
import { clientAddress, rememberPeer, requestOfThisMachine } from '#lib/http/client-address.server'
import { ApiError } from '#lib/http/errors'
import { LightHeaders } from '#lib/http/light-response.server'
import { baseOf, requireOwnSite } from '#lib/http/origin.server'
import { requestIdOf } from '#lib/http/request-id.server'
import type { MediaName } from '#lib/http/view'
import { authorize, isGranted } from '#lib/pipeline/authorize.server'
import { oneOfFew } from '#lib/pipeline/few.server'
import {
  alone,
  answerOf,
  confirmFirst,
  contentOf,
  type FirstAnswer,
  firstAnswer,
  type Keyed,
  keepAnswer,
} from '#lib/pipeline/idempotency.server'
import {
  checkBody,
  type Incoming,
  pathIds,
  readIncoming,
  requireCurrent,
  requireReadableQuery,
} from '#lib/pipeline/incoming.server'
import { leavePlace } from '#lib/pipeline/large-bodies.server'
import { shownTo } from '#lib/pipeline/own-account.server'
import { pagesAsOf, requireJournal } from '#lib/pipeline/past.server'
import { type Report, withProgress } from '#lib/pipeline/progress.server'
import { type Opening, represent, representStream } from '#lib/pipeline/represent.server'
import { answer, grantToken, refusalOf } from '#lib/pipeline/respond.server'
import { operationAt } from '#lib/pipeline/routes.server'
import type { Operation, Path, RouteHandler, Spec, Target, WriteSpec } from '#lib/pipeline/spec.server'
import { validate } from '#lib/pipeline/validate.server'
import { authenticate, authenticatedNow, presentCaller } from '#lib/strategies/authenticate.server'
import { makerOf, presentMaker } from '#lib/strategies/maker.server'

/** The arguments of a handler besides the context, as its route declares them. */
type Declared<P extends string, B, F> = { params: Path<P>; body: B; found: F }

/** A GET, or a POST that changes nothing. */
export const reads = <P extends string = never, Q = unknown, B = unknown, F = unknown>(
  handle: (context: Context & Declared<P, B, F> & { query: Q }) => Promise<unknown>,
  spec: Spec<P, Q, B, F>,
): RouteHandler => endpoint(handle as Handle, { ...spec, kind: 'reads' } as Operation)

/** A GET of the resource that the path names. */
export const shows = <P extends string, F>(
  spec: Spec<P, unknown, unknown, F> & { target: Required<Pick<Target<P, F>, 'find' | 'view'>> },
): RouteHandler => reads(async (context) => spec.target.view(context.found, context), spec)

/**
 * A change. The change and its event are one transaction, which is rolled back if anything refuses. If the handler returns nothing although
 * the route declares a response, the response is the resource that the path names, after the change.
 */
export const writes = <P extends string = never, B = unknown, F = unknown, A = unknown, Q = unknown>(
  handle: (context: Context & Declared<P, B, F> & { db: Trx; prepared: A; query: Q }) => Promise<unknown>,
  spec: WriteSpec<P, B, F, A, Q>,
): RouteHandler => endpoint(handle as Handle, { ...spec, kind: 'writes' } as Operation)

type Handle = (
  context: Context & Declared<string, unknown, unknown> & { db: Trx; query: unknown; prepared: unknown },
) => Promise<unknown>

/** A GET of the resource at the path that `find` returns, as it was at a moment (microseconds since 1970), by the declaration of its own GET. */
export const showsPast = <P extends string>(
  find: NonNullable<Spec<P>['past']>,
  spec: Spec<P>,
): RouteHandler => {
  const declared = { ...spec, past: find, kind: 'reads' } as Operation
  const serve: Serve = (request, { params }) =>
    answer(request, async (trace) => {
      const authenticated = await authenticate(request)
      const { caller } = authenticated
      trace.userId = caller.id
      const segments = (await params) ?? {}
      authorize(declared, authenticated, segments)
      requireReadableQuery(request)
      const ids = pathIds(declared, segments)
      const { path, moment } = await find({ caller, db: database().read, params: ids })
      return respond(...(await readPast({ request, authenticated }, path, moment)))
    })
  return Object.assign(serve, { spec: declared })
}

/** Throws EVENT-1 if the path names nothing that the caller sees at the moment. */
async function readPast(
  received: Pick<Incoming, 'request' | 'authenticated'>,
  path: string,
  moment: number,
): Promise<[Operation, Incoming, Outcome]> {
  const { handler, segments } = (await operationAt('GET', path)) ?? {}
  const handle = handler && handles.get(handler)
  if (!handle || !segments) throw new ApiError('EVENT-1')
  const spec = handler.spec as Operation
  authorize(spec, received.authenticated, segments)
  const incoming = { ...(await readIncoming(spec, { ...received, segments })), moment }
  try {
    return [spec, incoming, await inDatabase(spec, incoming, (db) => perform({ spec, handle, incoming }, db))]
  } catch (error) {
    throw error instanceof ApiError && error.status === 404 ? new ApiError('EVENT-1') : error
  }
}

const handles = new WeakMap<RouteHandler, Handle>()

type Serve = (...request: Parameters<RouteHandler>) => Promise<Response>

/** The only place that authenticates, authorizes, parses, renders and catches (docs/api.md, "Order of refusals"). */
function endpoint(handle: Handle, spec: Operation): RouteHandler {
  const serve: Serve = (request, { params }) =>
    answer(request, async (trace) => {
      requireOwnSite(request)
      const authenticated = await authenticate(request)
      trace.userId = authenticated.caller.id
      // Next resolves to undefined if the path has no variable segments.
      const segments = (await params) ?? {}
      authorize(spec, authenticated, segments)
      const incoming = await stillAuthorized(
        spec,
        await readIncoming(spec, { request, authenticated, segments }),
      )
      const { format } = incoming
      const running = { spec, handle, incoming }
      if (spec.answers?.progress && format?.syntax === 'stream')
        return respond(spec, incoming, reported(running, format.name))
      const respondNow = async () => respond(spec, incoming, await outcomeOf(running))
      return spec.answers?.few ? oneOfFew(authenticated.caller.id, respondNow) : respondNow()
    })
  const handler = Object.assign(serve, { spec })
  handles.set(handler, handle)
  return handler
}

/** Runs the work in a transaction if it writes. A change in steps begins its own transactions. */
async function inDatabase<T>(
  spec: Operation,
  { key, moment }: Incoming,
  work: (db: Trx) => Promise<T>,
): Promise<T> {
  if (moment !== undefined) {
    await requireJournal(moment)
    return inPast(moment, (db) => work(db as Trx))
  }
  const isWrite = spec.kind === 'writes' ? !spec.inSteps : typeof key === 'string'
  // The handler of a read takes any database.
  return isWrite
    ? transaction(work, { alone: spec.answers?.progress === true })
    : work(database().read as Db as Trx)
}

/** Who begins a body while they may, and ends it once they may not, is refused. */
async function stillAuthorized(spec: Operation, incoming: Incoming): Promise<Incoming> {
  if (!spec.takes && !spec.who.proof) return incoming
  try {
    const authenticated = await authenticatedNow(incoming.authenticated)
    authorize(spec, authenticated, incoming.segments)
    return { ...incoming, authenticated }
  } catch (error) {
    leavePlace(incoming.request)
    throw error
  }
}

type PathContext = ReadContext & { params: Path<string> }

/** The row that the path names, and its document if the event or If-Match needs it. Throws 412 if If-Match names another state. */
async function findTarget(spec: Operation, context: PathContext, request: Request) {
  const { find, view } = spec.target ?? {}
  const found = await find?.(context, context.params)
  if (!view || spec.kind === 'reads' || !(spec.event || request.headers.has('if-match')))
    return { found, before: undefined }
  const before = await view(found, context)
  requireCurrent(spec, before, request)
  return { found, before }
}

/** The current document of the resource that the path names. */
async function presentDocument({ target }: Operation, context: PathContext): Promise<object | undefined> {
  return target?.view?.(await target.find?.(context, context.params), context)
}

/** The handler's result, and what the handler added to the response and the event. */
type Outcome = {
  result: unknown
  session: Session | null
  headers: Headers
  noted: StoredChanges
  /** The ETag of the response that is repeated. */
  firstTag?: FirstAnswer['tag']
}

type Running = { spec: Operation; handle: Handle; incoming: Incoming }

async function outcomeOf(running: Running): Promise<Outcome> {
  const { spec, incoming } = running
  const { key, authenticated, request } = incoming
  const work = () => inDatabase(spec, incoming, (db) => perform(running, db))
  try {
    return await (typeof key === 'string' ? alone(authenticated.caller, key, work) : work())
  } finally {
    leavePlace(request)
  }
}

/** The response begins, and says how far the operation is. */
function reported({ spec, handle, incoming }: Running, name: MediaName): Outcome {
  const { request, authenticated } = incoming
  const run = async (report: Report) => {
    const { result } = await outcomeOf({ spec, handle, incoming: { ...incoming, report } })
    return result
  }
  const result = withProgress({ request, name, run, refusalOf })
  return { result, session: authenticated.session, headers: new LightHeaders(), noted: {} }
}

/** Finds the target, checks the body, runs the handler and records the event: in one transaction if the operation writes. */
async function perform({ spec, handle, incoming }: Running, db: Trx): Promise<Outcome> {
  const { request, authenticated, params, unproved } = incoming
  const { caller } = authenticated
  const { proof } = spec.who
  const context = { caller, db, params }
  const { found, before } = await findTarget(spec, context, request)
  if (unproved && proof === 'always') throw unproved
  const keyed = keyedRequest(incoming)
  const first = keyed && (await firstAnswer(db, keyed))
  if (keyed && first) {
    await confirmFirst(db, keyed)
    const { document } = first
    const again = document && spec.answers?.again
    return { ...repeated(first, incoming), ...(again && { result: await again(context, document) }) }
  }
  const body = await checkBody(spec, { ...context, found }, incoming)
  if (unproved && typeof proof === 'function' && proof(found, body)) throw unproved
  const outcome = await run({ spec, handle, incoming }, { ...context, found, body })
  if (spec.answers?.as) outcome.result ??= await presentDocument(spec, context)
  if (incoming.refused) throw incoming.refused
  if (spec.kind === 'writes' && spec.event)
    await recordChange(spec.event, { request, caller, db, before, part: incoming.part, ...outcome })
  if (keyed) {
    const answer = answerOf(request, { ...outcome, format: incoming.format })
    await (db.isTransaction
      ? keepAnswer(db, keyed, answer)
      : transaction((trx) => keepAnswer(trx, keyed, answer)))
  }
  return outcome
}

/** Undefined without an Idempotency-Key. Throws IDEMPOTENCY-1. */
function keyedRequest(incoming: Incoming): Keyed | undefined {
  const { key, request, authenticated, document, schema, content } = incoming
  if (key instanceof ApiError) throw key
  if (key === undefined) return undefined
  const valid = schema && validate(schema, document)
  const body = valid && 'value' in valid ? valid.value : (content ?? document)
  return { caller: authenticated.caller, key, content: contentOf(request, body) }
}

/** The outcome of the first request again. */
function repeated({ document, headers, tag }: FirstAnswer, { authenticated }: Incoming): Outcome {
  const again = new Headers(headers)
  again.set('idempotency-replayed', 'true')
  const { session } = authenticated
  return { result: document, session, headers: again, noted: {}, ...(tag && { firstTag: tag }) }
}

/** The operation of this path, if the caller may use it. Throws 403. */
async function permitted(
  { authenticated }: Pick<Incoming, 'authenticated'>,
  { method, path }: Pick<Inner, 'method' | 'path'>,
) {
  const { handler, segments = {} } = (await operationAt(method, path)) ?? {}
  const handle = handler && handles.get(handler)
  if (!handle) throw new ApiError('404-NOT-FOUND')
  const spec = handler.spec as Operation
  authorize(spec, authenticated, segments)
  return { handle, spec, segments }
}

/** The operation of this path with the caller's privileges, in the transaction of the first. */
async function operate(
  db: Trx,
  { request, authenticated }: Pick<Incoming, 'request' | 'authenticated'>,
  { method, path, document, prepared, moment, part }: Inner,
): Promise<unknown> {
  const { handle, spec: declared, segments } = await permitted({ authenticated }, { method, path })
  const spec = part ? declared : ({ ...declared, event: null } as Operation)
  const params = pathIds(spec, segments)
  const { caller, proof } = authenticated
  const isUnproved = spec.who.proof && !proof && [undefined, caller.id].includes(params.user)
  const incoming: Incoming = {
    request: innerRequest(request, method, path),
    authenticated,
    segments,
    params,
    query: spec.query?.parse({}),
    refused: undefined,
    document,
    schema: spec.takes?.body,
    format: undefined,
    key: undefined,
    unproved: isUnproved ? new ApiError('SIGN-IN-6') : undefined,
    prepared: prepared ?? {},
    moment,
    part,
  }
  const work = (on: Trx) => perform({ spec, handle, incoming }, on)
  const { result } = await (moment === undefined ? work(db) : inPast(moment, (past) => work(past as Trx)))
  return result
}

/** What work for a user who sends no request gets. */
export type Acting = Pick<Context, 'caller' | 'request' | 'report' | 'operate' | 'permit'>

/**
 * Runs work in a transaction for a user who sends no request, with what they may do and see at this moment. `acting` is undefined if that
 * is nothing.
 */
export const actFor = <T>(
  maker: Maker,
  work: (trx: Trx, acting: Acting | undefined) => Promise<T>,
): Promise<T> =>
  transaction(async (trx) => {
    const caller = await presentMaker(maker, trx)
    if (!caller) return work(trx, undefined)
    const session: Session = { id: '', userId: caller.id, epoch: 0, began: Date.now() }
    const authenticated: Authenticated = {
      caller,
      session,
      inConsole: false,
      proof: undefined,
      duty: undefined,
    }
    const incoming = { request: requestOfThisMachine(), authenticated }
    return work(trx, {
      caller,
      request: incoming.request,
      report: () => {},
      operate: (inner) => operate(trx, incoming, inner),
      permit: async (operation) => {
        await permitted(incoming, operation)
      },
    })
  })

function innerRequest(request: Request, method: string, path: string): Request {
  const inner = new Request(`${baseOf(request)}/api${path}`, {
    method,
    headers: { 'x-request-id': requestIdOf(request) },
  })
  rememberPeer(inner, clientAddress(request))
  return inner
}

/** Runs the handler. Each attempt of a transaction has its own outcome. */
async function run(
  { spec, handle, incoming }: Running,
  context: PathContext & { db: Trx; found: unknown; body: unknown },
): Promise<Outcome> {
  const { request, authenticated, segments, query, prepared, unproved } = incoming
  const { session, inConsole } = authenticated
  const outcome: Outcome = { result: undefined, session, headers: new LightHeaders(), noted: {} }
  outcome.result = await handle({
    ...context,
    request,
    session,
    maker: makerOf(authenticated),
    inConsole,
    query,
    prepared,
    isProved: unproved === undefined,
    presentCaller: async () => {
      const caller = await presentCaller(authenticated)
      return caller && isGranted(spec.who, caller, segments) ? caller : undefined
    },
    headers: outcome.headers,
    continueAs: (other) => {
      outcome.session = other
    },
    operate: (inner, trx = context.db) => operate(trx, incoming, inner),
    permit: async (operation) => {
      await permitted(incoming, operation)
    },
    report: (progress) => incoming.report?.(progress),
    note: (field, was, is) => {
      outcome.noted[field] = {
        ...(was !== undefined && { before: was }),
        ...(is !== undefined && { after: is }),
      }
    },
  })
  return outcome
}

/** The response, with a new token or the console's new cookie. */
async function respond(
  { answers }: Operation,
  { request, authenticated, format, moment }: Incoming,
  { session, headers, result, firstTag }: Outcome,
): Promise<Response> {
  const { inConsole, accessToken } = authenticated
  // A program with an access token has no session: signing out clears no cookie either.
  if (accessToken) headers.delete('set-cookie')
  else if (!inConsole && session && !answers?.endsSession) grantToken(request, headers, session)
  if (inConsole && session && session !== authenticated.session)
    await writeConsoleSession(request, headers, session)
  if (format?.syntax === 'stream') return representStream(result as Opening, { request, headers })
  const shown = shownTo(authenticated, result)
  return represent(moment === undefined ? shown : pagesAsOf(shown, request), {
    format,
    status: answers?.status,
    request,
    headers,
    ...(firstTag && { firstTag }),
    isPast: moment !== undefined,
  })
}
