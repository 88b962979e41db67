import { authenticate } from '#lib/auth/authenticate.server'
import { type Caller, can } from '#lib/auth/privileges'
import { writeConsoleSession } from '#lib/auth/session.server'
import type { Authenticated } from '#lib/auth/strategy'
import type { Session } from '#lib/auth/tokens.server'
import { Unauthorized } from '#lib/auth/unauthorized'
import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import { recordChange } from '#lib/events/record.server'
import type { StoredChanges } from '#lib/events/stored'
import { acceptOf, type ListFormat, negotiate, negotiateList } from '#lib/http/accept.server'
import type { Csv } from '#lib/http/csv'
import { cutShort } from '#lib/http/cut-short.server'
import { ApiError } from '#lib/http/errors'
import {
  checkBody,
  type Form,
  formsOf,
  ownLink,
  parseQuery,
  pathIds,
  readDocument,
  requireCurrent,
} from '#lib/http/incoming.server'
import { baseOf } from '#lib/http/origin.server'
import { requireOutsideOwnAccount } from '#lib/http/own-account.server'
import { entityTag, type Listing, renderDocument, renderListing, renderTable } from '#lib/http/render.server'
import { answer, grantToken } from '#lib/http/respond.server'
import type { Context, RouteContext, RouteHandler, Spec, WriteSpec } from '#lib/http/spec'
import { type MediaName, mediaNames } from '#lib/http/view'

type Handler<P extends string, Q, B, D, A> = (context: Context<P, Q, B, D, A>) => Promise<unknown>

/** The handler of an operation that changes nothing: every GET, and the rare POST that only asks. */
export const reads = <P extends string = never, Q = unknown, B = unknown>(
  spec: Spec<P, Q, B>,
  handle: Handler<P, Q, B, Db, unknown>,
): RouteHandler => declared(spec, 'reads', endpoint(spec, handle, { run: (work) => work(database().read) }))

/** The handler of a change: one request is one transaction, its event included, and is undone whole where anything refuses. */
export const writes = <P extends string = never, B = unknown, A = unknown>(
  spec: WriteSpec<P, B, A>,
  handle: Handler<P, unknown, B, Trx, A>,
): RouteHandler =>
  declared(
    spec,
    'writes',
    endpoint<P, unknown, B, Trx, A>(spec, handle, {
      admit: (authenticated, words) => requireOutsideOwnAccount(spec, authenticated, words),
      run: (work) => transaction(work),
      settle: async (outcome) => {
        if (spec.event) await recordChange(spec.event, outcome)
      },
    }),
  )

const declared = <P extends string, Q, B, A>(
  spec: Spec<P, Q, B, A>,
  kind: 'reads' | 'writes',
  handle: (request: Request, context: Parameters<RouteHandler>[1]) => Promise<Response>,
): RouteHandler => Object.assign(handle, { spec: { ...spec, kind } as RouteHandler['spec'] })

type Outcome<D> = Pick<Context<string, unknown, unknown, D>, 'request' | 'caller' | 'db'> & {
  before: object | undefined
  result: unknown
  noted: StoredChanges
}

type Words = Awaited<RouteContext['params']>

/** What reads and writes do differently. */
type Steps<D> = {
  /** Refuses callers whom no privilege helps. */
  admit?: (authenticated: Authenticated, words: Words) => void
  run: <T>(work: (db: D) => Promise<T>) => Promise<T>
  /** What belongs to the change and follows from it. */
  settle?: (outcome: Outcome<D>) => Promise<void>
}

/** The only place that authenticates, authorizes, parses, renders and catches (settled, point 18: the order of refusals). */
function endpoint<P extends string, Q, B, D extends Db, A>(
  spec: Spec<P, Q, B, A>,
  handle: Handler<P, Q, B, D, A>,
  { admit, run, settle }: Steps<D>,
) {
  return (request: Request, { params }: Parameters<RouteHandler>[1]): Promise<Response> =>
    answer(request, async (trace) => {
      const authenticated = await authenticate(request)
      const { caller, session, inConsole, proof } = authenticated
      let next: Session | null = session
      trace.userId = caller.id
      requireNoDuty(spec, authenticated)
      const words = await params
      admit?.(authenticated, words)
      if (!isGranted(spec, caller, words)) throw new ApiError('403-FORBIDDEN')
      const accept = acceptOf(request)
      requireAcceptable(spec, accept)
      const { document, form } = await readDocument(spec, request)
      const format = formatOf(accept, form)
      const ids = pathIds(spec, words)
      const { query, refused } = parseQuery(spec, request)
      const headers = new Headers()
      const prepared = (await spec.prepare?.({ request, caller, params: ids, document, proof })) as A
      const result = await run(async (db) => {
        const noted: StoredChanges = {}
        const asked = { caller, db, params: ids }
        const before = await requireCurrent(spec, asked, request)
        const body = await checkBody({ ...spec, body: form.body }, asked, document, request.method)
        const answered = await handle({
          ...asked,
          request,
          session,
          inConsole,
          proof,
          continueAs: (other) => {
            next = other
          },
          query,
          body,
          headers,
          prepared,
          note: (field, was, is) => {
            noted[field] = {
              ...(was !== undefined && { before: was }),
              ...(is !== undefined && { after: is }),
            }
          },
        })
        if (refused) throw refused
        await settle?.({ request, caller, db, before, result: answered, noted })
        return answered
      })
      if (!inConsole && next && !spec.endsSession) grantToken(request, headers, next)
      if (inConsole && next && next !== session) await writeConsoleSession(request, headers, next)
      return respond({ answers: form.answers, status: spec.status }, result, format, request, headers)
    })
}

function isGranted({ anyOf, orOwn }: Pick<Spec, 'anyOf' | 'orOwn'>, caller: Caller, words: Words): boolean {
  if (anyOf === 'user' || can(caller, anyOf)) return true
  const own = { user: caller.id, enterprise: caller.enterpriseId }
  return orOwn !== undefined && Number(words[orOwn]) === own[orOwn]
}

/** Users with a duty do that first: what serves it is open to them, and nothing else. */
function requireNoDuty(
  { despiteDuty }: Pick<Spec, 'despiteDuty'>,
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

/** Where nothing that the operation answers is acceptable, the body is not even read (settled, point 18). */
function requireAcceptable<P extends string, Q, B, A>(spec: Spec<P, Q, B, A>, accept: string | null): void {
  const refusals = formsOf(spec).flatMap((form) => (form.answers ? [refusalOf(accept, form)] : []))
  const [refused] = refusals
  if (refused && refusals.every((each) => each !== undefined)) throw refused
}

const formatOf = <B>(accept: string | null, { answers, csv }: Form<B>): ListFormat | undefined =>
  answers && (csv ? negotiateList(accept, answers, csv) : negotiate(accept, answers))

function refusalOf<B>(accept: string | null, form: Form<B>): unknown {
  try {
    formatOf(accept, form)
    return undefined
  } catch (error) {
    return error
  }
}

function respond(
  spec: { answers: MediaName | undefined; status: number | undefined },
  result: unknown,
  format: ListFormat | undefined,
  request: Request,
  headers: Headers,
): Response {
  if (!spec.answers || !format || typeof result !== 'object' || result === null) {
    return new Response(null, { status: 204, headers: noStore(headers) })
  }
  if (format.syntax === 'csv') return table(result as Listing, format.csv, request, headers)
  headers.set('content-type', format.type)
  const status = spec.status ?? (request.method === 'POST' ? 201 : 200)
  if (mediaNames[spec.answers] !== null) {
    const body = renderListing(result as Listing, spec.answers, format.syntax, baseOf(request))
    return new Response(cutShort(body, request), { status, headers: noStore(headers) })
  }
  const body = renderDocument(result, spec.answers, format.syntax, baseOf(request))
  return single(body, result, status, request, headers)
}

/** A list as a file to keep (RFC 4180 §3: its first row are the names of the columns). */
function table(listing: Listing, csv: Csv<never>, request: Request, headers: Headers): Response {
  headers.set('content-type', 'text/csv; charset=utf-8; header=present')
  headers.set('content-disposition', `attachment; filename="${csv.filename}.csv"`)
  return new Response(cutShort(renderTable(listing, csv), request), { headers: noStore(headers) })
}

/** A single resource: with its validator, and on creation its address. */
function single(body: string, result: object, status: number, request: Request, headers: Headers): Response {
  const own = ownLink(result)
  if (!own) return new Response(body, { status, headers: noStore(headers) })
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
