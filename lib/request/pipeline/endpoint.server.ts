import { type Authenticated, signedInUser } from '#lib/caller/auth/strategy.server'
import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import { AnswerHeaders } from '#lib/ground/http/answer.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { requireOwnSite } from '#lib/ground/http/origin.server'
import type { MediaName } from '#lib/ground/http/view'
import type { Context } from '#lib/record/events/operation.server'
import { noteNewJob } from '#lib/record/jobs/store.server'
import { authorize } from '#lib/request/pipeline/authorize.server'
import { oneOfFew } from '#lib/request/pipeline/few.server'
import { alone } from '#lib/request/pipeline/idempotency.server'
import { type Incoming, readIncoming } from '#lib/request/pipeline/incoming.server'
import { leavePlace } from '#lib/request/pipeline/large-bodies.server'
import { type Outcome, type Perform, register } from '#lib/request/pipeline/operations.server'
import { actorOf } from '#lib/request/pipeline/own-account.server'
import { atMoment } from '#lib/request/pipeline/past.server'
import { type Handle, perform } from '#lib/request/pipeline/perform.server'
import { type Report, withProgress } from '#lib/request/pipeline/progress.server'
import { answer, refusalOf, respond } from '#lib/request/pipeline/respond.server'
import type {
  Operation,
  Path,
  RouteHandler,
  Spec,
  Target,
  WriteSpec,
} from '#lib/request/pipeline/spec.server'
import { routeHandler, type Serve } from '#lib/request/pipeline/spec.server'
import { authenticate, authenticatedNow } from '#lib/request/strategies/authenticate.server'

/** The arguments of a handler besides the context, as its route declares them. */
type Declared<P extends string, B, F, R> = { params: Path<P>; body: B; found: F; references: NoInfer<R> }

/** A GET, or a POST that changes nothing. */
export const reads = <P extends string = never, Q = unknown, B = unknown, F = unknown, R = unknown>(
  handle: (context: Context & Declared<P, B, F, R> & { query: Q }) => Promise<unknown>,
  spec: Spec<P, Q, B, F, R>,
): RouteHandler => endpoint(handle as Handle, { ...spec, kind: 'reads' } as Operation)

/** A GET of the resource that the path names. */
export const shows = <P extends string, F>(
  spec: Spec<P, unknown, unknown, F> & { target: Required<Pick<Target<P, F>, 'find' | 'view'>> },
): RouteHandler => reads(async (context) => spec.target.view(context.found, context), spec)

/**
 * A change. The change and its event are one transaction, which is rolled back if anything refuses. If the handler returns nothing although
 * the route declares a response, the response is the resource that the path names, after the change.
 */
export const writes = <
  P extends string = never,
  B = unknown,
  F = unknown,
  A = unknown,
  Q = unknown,
  R = unknown,
>(
  handle: (context: Context & Declared<P, B, F, R> & { db: Trx; prepared: A; query: Q }) => Promise<unknown>,
  spec: WriteSpec<P, B, F, A, Q, R>,
): RouteHandler => endpoint(handle as Handle, { ...spec, kind: 'writes' } as Operation)

/**
 * The only place that authenticates, authorizes, parses, renders and catches, in the order of docs/api/responses.md, "Order of refusals". The front
 * server has already refused requests that no operation accepts.
 */
function endpoint(handle: Handle, spec: Operation): RouteHandler {
  const performed: Perform = (...running) => perform(handle, ...running)
  const serve: Serve = (request, segments) =>
    answer(request, async (trace) => {
      // 403 for a write from another site
      requireOwnSite(request)
      const isReceived = await wasReceived(spec, request)
      // 401
      const authenticated = actorOf(spec, await authenticatedSoon(request))
      const user = signedInUser(authenticated)
      trace.userId = user
      if (authenticated.viewer) trace.seesAs = authenticated.caller.id
      if (authenticated.accessToken) trace.tokenId = authenticated.accessToken.id
      // 403 for a missing privilege
      authorize(spec, authenticated, segments)
      // 406, 413, 415, 400 for an unreadable body
      const received = await readIncoming(spec, { request, authenticated, segments })
      const incoming = isReceived ? received : await stillAuthorized(spec, received)
      // 404 for a missing resource, then everything else
      const outcome = (report?: Report) =>
        outcomeOf(spec, { ...incoming, ...(report && { report }) }, performed)
      const { format } = incoming
      if (waitsByDesign(spec, incoming)) request.waits = true
      if (spec.answers?.progress && format?.syntax === 'stream')
        return respond(spec, incoming, reported(incoming, format.name, outcome))
      const respondNow = async () => respond(spec, incoming, await outcome())
      return spec.answers?.few ? oneOfFew(user, respondNow) : respondNow()
    })
  return register(routeHandler(serve, spec), performed)
}

/** Streams, and changes that may run as jobs. */
const waitsByDesign = (spec: Operation, { format }: Incoming): boolean =>
  format?.syntax === 'stream' ||
  spec.answers?.progress === true ||
  (spec.kind === 'writes' && spec.job !== undefined)

/** A password waits for other attempts and for its hash. A user who was disabled meanwhile is refused. */
async function authenticatedSoon(request: Exchange): Promise<Authenticated> {
  const began = performance.now()
  const authenticated = await authenticate(request)
  return performance.now() - began < SOON ? authenticated : authenticatedNow(authenticated)
}

/** An authentication that took longer (ms) is made again. */
const SOON = 50

/** Whether nothing that takes time comes between authentication and the end of the input. */
async function wasReceived(spec: Operation, request: Exchange): Promise<boolean> {
  const takesLong = spec.who.proof || (spec.kind === 'writes' && spec.prepare)
  if (!spec.takes || takesLong) return false
  // Node parses a body that came with the head in the same turn of the event loop.
  await Promise.resolve()
  return request.isReceived()
}

/** A caller who loses their privileges before the end of the body is refused. */
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

async function outcomeOf(spec: Operation, incoming: Incoming, performed: Perform): Promise<Outcome> {
  const { key, authenticated, request } = incoming
  const work = () => inDatabase(spec, incoming, (db) => performed(spec, incoming, db))
  try {
    const outcome = await (typeof key === 'string' ? alone(authenticated.caller, key, work) : work())
    if (outcome.isJob) noteNewJob()
    return outcome
  } finally {
    leavePlace(request)
  }
}

/** Runs the work in a transaction if it writes. A change in steps begins its own transactions. */
async function inDatabase<T>(
  spec: Operation,
  { key, moment, request, isForJob, authenticated }: Incoming,
  work: (db: Trx) => Promise<T>,
): Promise<T> {
  if (moment !== undefined) return atMoment(authenticated, moment, work)
  const isWrite = spec.kind === 'writes' ? isForJob || !spec.inSteps : typeof key === 'string'
  // The handler of a read takes any database.
  return isWrite
    ? transaction(work, { alone: spec.answers?.progress === true && !isForJob, lane: laneOf(request) })
    : work(database().read as Db as Trx)
}

/** The path of the resource that a change is below: `api/admin/datacenters/7`. */
const laneOf = (request: Exchange): string =>
  request.url.split('?', 1)[0]?.split('/', 7).slice(3).join('/').slice(0, 200) ?? ''

/** Starts the response, which reports the progress of the operation. */
function reported(
  { request, authenticated }: Incoming,
  name: MediaName,
  outcome: (report: Report) => Promise<Outcome>,
): Outcome {
  const run = async (report: Report) => (await outcome(report)).result
  const result = withProgress({ request, name, run, refusalOf })
  return { result, session: authenticated.session, headers: new AnswerHeaders(), noted: {} }
}
