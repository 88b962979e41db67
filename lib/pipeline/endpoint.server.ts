import { writeConsoleSession } from '#lib/auth/console-cookie.server'
import type { ReadContext } from '#lib/auth/context.server'
import { type Caller, can } from '#lib/auth/privileges'
import type { Authenticated } from '#lib/auth/strategy.server'
import type { Session } from '#lib/auth/tokens.server'
import { Unauthorized } from '#lib/auth/unauthorized'
import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import type { Context } from '#lib/events/operation.server'
import { recordChange } from '#lib/events/record.server'
import type { StoredChanges } from '#lib/events/stored'
import { ApiError } from '#lib/http/errors'
import {
  alone,
  answerOf,
  contentOf,
  type FirstAnswer,
  firstAnswer,
  type Keyed,
  keepAnswer,
} from '#lib/pipeline/idempotency.server'
import { checkBody, type Incoming, readIncoming, requireCurrent } from '#lib/pipeline/incoming.server'
import { requireOutsideOwnAccount, shownTo } from '#lib/pipeline/own-account.server'
import { represent } from '#lib/pipeline/represent.server'
import { answer, grantToken } from '#lib/pipeline/respond.server'
import type {
  Operation,
  Path,
  RouteHandler,
  Segments,
  Spec,
  Target,
  WriteSpec,
} from '#lib/pipeline/spec.server'
import { validate } from '#lib/pipeline/validate.server'
import { authenticate } from '#lib/strategies/authenticate.server'

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
export const writes = <P extends string = never, B = unknown, F = unknown, A = unknown>(
  handle: (context: Context & Declared<P, B, F> & { db: Trx; prepared: A }) => Promise<unknown>,
  spec: WriteSpec<P, B, F, A>,
): RouteHandler => endpoint(handle as Handle, { ...spec, kind: 'writes' } as Operation)

type Handle = (
  context: Context & Declared<string, unknown, unknown> & { db: Trx; query: unknown; prepared: unknown },
) => Promise<unknown>

/** The only place that authenticates, authorizes, parses, renders and catches (docs/api.md, "Order of refusals"). */
function endpoint(handle: Handle, spec: Operation): RouteHandler {
  const serve: (...request: Parameters<RouteHandler>) => Promise<Response> = (request, { params }) =>
    answer(request, async (trace) => {
      const authenticated = await authenticate(request)
      trace.userId = authenticated.caller.id
      // Next resolves to undefined if the path has no variable segments.
      const segments = (await params) ?? {}
      authorize(spec, authenticated, segments)
      const incoming = await readIncoming(spec, { request, authenticated, segments })
      const { key } = incoming
      const work = () => inDatabase(spec, incoming, (db) => perform({ spec, handle, incoming }, db))
      const isKeyed = typeof key === 'string'
      return respond(spec, incoming, await (isKeyed ? alone(authenticated.caller, key, work) : work()))
    })
  return Object.assign(serve, { spec })
}

/** Runs the work in a transaction if it writes. A change in steps begins its own transactions. */
function inDatabase<T>(spec: Operation, { key }: Incoming, work: (db: Trx) => Promise<T>): Promise<T> {
  const isWrite = spec.kind === 'writes' ? !spec.inSteps : typeof key === 'string'
  // The handler of a read takes any database.
  return isWrite ? transaction(work) : work(database().read as Db as Trx)
}

function authorize(spec: Operation, authenticated: Authenticated, segments: Segments): void {
  requireNoDuty(spec.who, authenticated)
  if (spec.kind === 'writes') requireOutsideOwnAccount(spec.who, authenticated, segments)
  if (!isGranted(spec.who, authenticated.caller, segments)) throw new ApiError('403-FORBIDDEN')
}

function isGranted({ anyOf, orOwn }: Spec['who'], caller: Caller, segments: Segments): boolean {
  if (anyOf === 'user' || can(caller, anyOf)) return true
  const own = { user: caller.id, enterprise: caller.enterpriseId }
  return orOwn !== undefined && Number(segments[orOwn]) === own[orOwn]
}

/** Users who must first change their password or set up two factor authentication can do nothing else. */
function requireNoDuty(
  { despiteDuty }: Spec['who'],
  { caller, inConsole, duty, proof }: Authenticated,
): void {
  if (!duty || despiteDuty === 'anywhere') return
  const bySession = proof !== 'sent'
  if (despiteDuty === 'inSession' && bySession) return
  if (despiteDuty === 'inConsole' && inConsole) return
  if (duty === 'changePassword') throw new ApiError('SIGN-IN-5')
  if (bySession) throw new ApiError('2FA-9')
  const enrolAt = `/admin/enterprises/${caller.enterpriseId}/users/${caller.id}/action/enable2fa`
  throw new Unauthorized({ schemes: ['Basic'], codeRequired: { type: 'none' }, enrolAt })
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
  if (first) return repeated(first, incoming)
  const body = await checkBody(spec, { ...context, found }, incoming)
  if (unproved && typeof proof === 'function' && proof(found, body)) throw unproved
  const outcome = await run(handle, { ...context, found, body }, incoming)
  if (spec.answers?.as) outcome.result ??= await presentDocument(spec, context)
  if (incoming.refused) throw incoming.refused
  if (spec.kind === 'writes' && spec.event)
    await recordChange(spec.event, { request, caller, db, before, ...outcome })
  if (keyed) {
    const answer = answerOf(request, { ...outcome, format: incoming.format })
    await (db.isTransaction
      ? keepAnswer(db, keyed, answer)
      : transaction((trx) => keepAnswer(trx, keyed, answer)))
  }
  return outcome
}

/** Undefined without an Idempotency-Key. Throws IDEMPOTENCY-1. */
function keyedRequest({ key, request, authenticated, document, schema }: Incoming): Keyed | undefined {
  if (key instanceof ApiError) throw key
  if (key === undefined) return undefined
  const valid = schema && validate(schema, document)
  const body = valid && 'value' in valid ? valid.value : document
  return { caller: authenticated.caller, key, content: contentOf(request, body) }
}

/** The outcome of the first request again. */
function repeated({ document, headers, tag }: FirstAnswer, { authenticated }: Incoming): Outcome {
  const again = new Headers(headers)
  again.set('idempotency-replayed', 'true')
  const { session } = authenticated
  return { result: document, session, headers: again, noted: {}, ...(tag && { firstTag: tag }) }
}

/** Runs the handler. Each attempt of a transaction has its own outcome. */
async function run(
  handle: Handle,
  context: PathContext & { db: Trx; found: unknown; body: unknown },
  { request, authenticated, query, prepared, unproved }: Incoming,
): Promise<Outcome> {
  const { session, inConsole } = authenticated
  const outcome: Outcome = { result: undefined, session, headers: new Headers(), noted: {} }
  outcome.result = await handle({
    ...context,
    request,
    session,
    inConsole,
    query,
    prepared,
    isProved: unproved === undefined,
    headers: outcome.headers,
    continueAs: (other) => {
      outcome.session = other
    },
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
  { request, authenticated, format }: Incoming,
  { session, headers, result, firstTag }: Outcome,
): Promise<Response> {
  const { inConsole } = authenticated
  if (!inConsole && session && !answers?.endsSession) grantToken(request, headers, session)
  if (inConsole && session && session !== authenticated.session)
    await writeConsoleSession(request, headers, session)
  return represent(shownTo(authenticated, result), {
    format,
    status: answers?.status,
    request,
    headers,
    ...(firstTag && { firstTag }),
  })
}
