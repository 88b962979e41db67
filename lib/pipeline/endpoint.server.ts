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
import { authenticate } from '#lib/strategies/authenticate.server'

/** What a handler gets beside the context: what its route declares. */
type Declared<P extends string, B, F> = { params: Path<P>; body: B; found: F }

/** A GET, or a POST that changes nothing. */
export const reads = <P extends string = never, Q = unknown, B = unknown, F = unknown>(
  handle: (context: Context & Declared<P, B, F> & { query: Q }) => Promise<unknown>,
  spec: Spec<P, Q, B, F>,
): RouteHandler => endpoint(handle as Handle, { ...spec, kind: 'reads' } as Operation)

/** A GET of the thing that the path names. */
export const shows = <P extends string, F>(
  spec: Spec<P, unknown, unknown, F> & { target: Required<Pick<Target<P, F>, 'find' | 'view'>> },
): RouteHandler => reads(async (context) => spec.target.view(context.found, context), spec)

/**
 * A change. The request is one transaction with its event, and is rolled back as a whole if anything refuses. A handler that returns
 * nothing although the route answers is answered with the thing that the path names, as it is after the change.
 */
export const writes = <P extends string = never, B = unknown, F = unknown, A = unknown>(
  handle: (context: Context & Declared<P, B, F> & { db: Trx; prepared: A }) => Promise<unknown>,
  spec: WriteSpec<P, B, F, A>,
): RouteHandler => endpoint(handle as Handle, { ...spec, kind: 'writes' } as Operation)

type Handle = (
  context: Context & Declared<string, unknown, unknown> & { db: Trx; query: unknown; prepared: unknown },
) => Promise<unknown>

/** The session and the headers that the answer brings. */
type Outgoing = { session: Session | null; headers: Headers }

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
      const outgoing: Outgoing = { session: authenticated.session, headers: new Headers() }
      const work = (db: Db | Trx) => perform({ spec, handle, db: db as Trx }, incoming, outgoing)
      const result = await (spec.kind === 'writes' ? transaction(work) : work(database().read))
      return respond(spec, incoming, { ...outgoing, result })
    })
  return Object.assign(serve, { spec })
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

type Asked = ReadContext & { params: Path<string> }

/** The row that the path names, and its document if the event or If-Match needs it. Throws 412 if If-Match names another state. */
async function findTarget(spec: Operation, asked: Asked, request: Request) {
  const { find, view } = spec.target ?? {}
  const found = await find?.(asked, asked.params)
  if (!view || spec.kind === 'reads' || !(spec.event || request.headers.has('if-match')))
    return { found, before: undefined }
  const before = await view(found, asked)
  requireCurrent(spec, before, request)
  return { found, before }
}

/** The document of what the path names now. */
async function presentDocument({ target }: Operation, asked: Asked): Promise<object | undefined> {
  return target?.view?.(await target.find?.(asked, asked.params), asked)
}

/** Only a write has a transaction: the handler of a read takes any database. */
type Running = { spec: Operation; handle: Handle; db: Trx }

/** Finds the target, checks the body, runs the handler and records the event: in one transaction if the operation writes. */
async function perform({ spec, handle, db }: Running, incoming: Incoming, outgoing: Outgoing) {
  const { request, authenticated, params, query, prepared, unproved } = incoming
  const { caller, session, inConsole } = authenticated
  const { headers } = outgoing
  const { proof } = spec.who
  const asked = { caller, db, params }
  const { found, before } = await findTarget(spec, asked, request)
  if (unproved && proof === 'always') throw unproved
  const body = await checkBody(spec, { ...asked, found }, incoming)
  if (unproved && typeof proof === 'function' && proof(found, body)) throw unproved
  const noted: StoredChanges = {}
  const answered = await handle({
    ...asked,
    request,
    session,
    inConsole,
    isProved: unproved === undefined,
    headers,
    query,
    body,
    found,
    prepared,
    continueAs: (other) => {
      outgoing.session = other
    },
    note: (field, was, is) => {
      noted[field] = { ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }
    },
  })
  const result = answered ?? (spec.answers?.as && (await presentDocument(spec, asked)))
  if (incoming.refused) throw incoming.refused
  if (spec.kind === 'writes' && spec.event)
    await recordChange(spec.event, { request, caller, db, before, result, noted })
  return result
}

/** The answer, with a new token or the console's new cookie. */
async function respond(
  { answers }: Operation,
  { request, authenticated, format }: Incoming,
  { session, headers, result }: Outgoing & { result: unknown },
): Promise<Response> {
  const { inConsole } = authenticated
  if (!inConsole && session && !answers?.endsSession) grantToken(request, headers, session)
  if (inConsole && session && session !== authenticated.session)
    await writeConsoleSession(request, headers, session)
  return represent(shownTo(authenticated, result), { format, status: answers?.status, request, headers })
}
