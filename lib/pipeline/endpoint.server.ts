import { writeConsoleSession } from '#lib/auth/console-cookie.server'
import { type Caller, can } from '#lib/auth/privileges'
import type { Authenticated } from '#lib/auth/strategy.server'
import type { Session } from '#lib/auth/tokens.server'
import { Unauthorized } from '#lib/auth/unauthorized'
import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import { recordChange } from '#lib/events/record.server'
import type { StoredChanges } from '#lib/events/stored'
import { acceptOf, type ListFormat, negotiate, negotiateList } from '#lib/http/accept.server'
import { ApiError } from '#lib/http/errors'
import {
  checkBody,
  type Form,
  formsOf,
  parseQuery,
  pathIds,
  readDocument,
  requireCurrent,
} from '#lib/pipeline/incoming.server'
import { requireOutsideOwnAccount, shownTo, type Words } from '#lib/pipeline/own-account.server'
import { missingProof } from '#lib/pipeline/proof.server'
import { represent } from '#lib/pipeline/represent.server'
import { answer, grantToken } from '#lib/pipeline/respond.server'
import type { Context, RouteHandler, Spec, WriteSpec } from '#lib/pipeline/spec.server'
import { authenticate } from '#lib/strategies/authenticate.server'

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

/** What reads and writes do differently. */
type Steps<D> = {
  /** Refuses callers whom no privilege helps. */
  admit?: (authenticated: Authenticated, words: Words) => void
  run: <T>(work: (db: D) => Promise<T>) => Promise<T>
  /** What belongs to the change and follows from it. */
  settle?: (outcome: Outcome<D>) => Promise<void>
}

/** The only place that authenticates, authorizes, parses, renders and catches (docs/api.md, "Order of refusals"). */
function endpoint<P extends string, Q, B, D extends Db, A>(
  spec: Spec<P, Q, B, A>,
  handle: Handler<P, Q, B, D, A>,
  { admit, run, settle }: Steps<D>,
) {
  return (request: Request, { params }: Parameters<RouteHandler>[1]): Promise<Response> =>
    answer(request, async (trace) => {
      const authenticated = await authenticate(request)
      const { caller, session, inConsole } = authenticated
      let next: Session | null = session
      trace.userId = caller.id
      requireNoDuty(spec, authenticated)
      // Next resolves to undefined where the path has no words.
      const words = (await params) ?? {}
      admit?.(authenticated, words)
      if (!isGranted(spec, caller, words)) throw new ApiError('403-FORBIDDEN')
      const accept = acceptOf(request)
      requireAcceptable(spec, accept)
      const { document, form } = await readDocument(spec, request)
      const format = formatOf(accept, form)
      const ids = pathIds(spec, words)
      const { query, refused } = parseQuery(spec, request)
      const headers = new Headers()
      const unproved = await missingProof(spec, authenticated, { request, document, words })
      const prepared = (await spec.prepare?.({
        request,
        caller,
        params: ids,
        document,
        proof: authenticated.proof,
      })) as A
      const result = await run(async (db) => {
        const noted: StoredChanges = {}
        const asked = { caller, db, params: ids }
        const before = await requireCurrent(spec, asked, request)
        if (unproved && spec.proof === 'always') throw unproved
        const body = await checkBody({ ...spec, body: form.body }, asked, document, request.method)
        if (unproved && typeof spec.proof === 'function' && spec.proof(before, body)) throw unproved
        const answered = await handle({
          ...asked,
          request,
          session,
          inConsole,
          isProved: unproved === undefined,
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
      const shown = shownTo(authenticated, result)
      return represent(shown, { format, status: spec.status, request, headers })
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

/** If nothing that the operation answers is acceptable, the body is not read (docs/api.md, "Order of refusals"). */
function requireAcceptable<P extends string, Q, B, A>(spec: Spec<P, Q, B, A>, accept: string | null): void {
  const refusals = formsOf(spec).flatMap((form) => (form.answers ? [refusalOf(accept, form)] : []))
  const [refused] = refusals
  if (refused && refusals.every((each) => each !== undefined)) throw refused
}

const formatOf = <B>(accept: string | null, { answers, alsoAs, csv }: Form<B>): ListFormat | undefined =>
  answers && (csv ? negotiateList(accept, answers, csv) : negotiate(accept, answers, alsoAs))

function refusalOf<B>(accept: string | null, form: Form<B>): unknown {
  try {
    formatOf(accept, form)
    return undefined
  } catch (error) {
    return error
  }
}
