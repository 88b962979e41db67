import type { ReadContext } from '#lib/caller/auth/context.server'
import { signedInUser } from '#lib/caller/auth/strategy.server'
import { type Trx, transaction } from '#lib/db/db.server'
import { AnswerHeaders } from '#lib/ground/http/answer.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { stayingIn } from '#lib/ground/http/input.schema'
import { ownLink } from '#lib/ground/http/view'
import { makerOf } from '#lib/people/access-tokens/maker.server'
import type { Context, JobRun } from '#lib/record/events/operation.server'
import { recordChange } from '#lib/record/events/record.server'
import { beginJob, readJob } from '#lib/record/jobs/jobs.server'
import { isGranted } from '#lib/request/pipeline/authorize.server'
import { checkBody } from '#lib/request/pipeline/check-body.server'
import {
  answerOf,
  confirmFirst,
  contentOf,
  type FirstAnswer,
  firstAnswer,
  type Keyed,
  keepAnswer,
} from '#lib/request/pipeline/idempotency.server'
import { type Incoming, requireCurrent } from '#lib/request/pipeline/incoming.server'
import { innerOperations } from '#lib/request/pipeline/inner.server'
import type { Outcome } from '#lib/request/pipeline/operations.server'
import { pastCaller } from '#lib/request/pipeline/past.server'
import type { Operation, Path } from '#lib/request/pipeline/spec.server'
import { validate } from '#lib/request/pipeline/validate.server'
import { presentCaller } from '#lib/request/strategies/authenticate.server'

export type Handle = (
  context: Context & {
    db: Trx
    params: Path<string>
    query: unknown
    body: unknown
    found: unknown
    references: unknown
    prepared: unknown
  },
) => Promise<unknown>

type PathContext = ReadContext & { params: Path<string> }

/**
 * The steps of an operation in its transaction if it writes: the 404 of docs/api/responses.md, "Order of refusals", then everything else, in this
 * order.
 */
export async function perform(
  handle: Handle,
  spec: Operation,
  incoming: Incoming,
  db: Trx,
): Promise<Outcome> {
  const { request, authenticated, params, unproved, moment } = incoming
  const caller = moment === undefined ? authenticated.caller : pastCaller(authenticated)
  const { proof } = spec.who
  const path = { caller, db, params }
  const staying = stayingFields(incoming)
  const { found, before } = await findTarget(spec, path, { request, isShown: staying.length > 0 })
  const context = { ...path, found }
  if (unproved && proof === 'always') throw unproved
  const keyed = keyedRequest(incoming)
  const first = keyed && (await firstAnswer(db, keyed))
  if (keyed && first) {
    await confirmFirst(db, keyed)
    const { document } = first
    if (document && ownLink(document)?.type === 'job') {
      const asking = { ...context, maker: makerOf(authenticated) }
      const result = await readJob(asking, 'id' in document ? Number(document.id) : 0)
      return { ...repeated(first, incoming), result, isJob: true }
    }
    const again = document && spec.answers?.again
    return { ...repeated(first, incoming), ...(again && { result: await again(context, document) }) }
  }
  const kept = Object.fromEntries(staying.map((name) => [name, (before as Fields | undefined)?.[name]]))
  const body = await checkBody(spec, context, { ...incoming, document: withFields(incoming.document, kept) })
  if (unproved && typeof proof === 'function' && proof(found, body)) throw unproved
  const references = body && (await spec.takes?.references?.(context, body))
  const checks: JobRun | undefined = incoming.isForJob ? { part: 'checks' } : undefined
  const job = checks ?? incoming.job
  const outcome = await run(handle, spec, incoming, { ...context, body, references, ...(job && { job }) })
  if (checks && spec.kind === 'writes') await makeJob(spec, incoming, { db, outcome, checks })
  if (spec.answers?.as) outcome.result ??= await presentDocument(spec, context)
  if (incoming.refused) throw incoming.refused
  if (spec.kind === 'writes' && spec.event && !checks)
    await recordChange(spec.event, { request, caller, db, before, part: incoming.part, ...outcome })
  if (keyed) {
    const { tag, ...answer } = answerOf(request, { ...outcome, format: incoming.format })
    if (tag && !checks) Object.assign(answer, { tag })
    await (db.isTransaction
      ? keepAnswer(db, keyed, answer)
      : transaction((trx) => keepAnswer(trx, keyed, answer)))
  }
  return outcome
}

/** The outcome is the new job, which waits for a worker. */
async function makeJob(
  { job: operation = '' }: Operation & { kind: 'writes' },
  { request, authenticated, document }: Incoming,
  { db, outcome, checks }: { db: Trx; outcome: Outcome; checks: JobRun & { part: 'checks' } },
): Promise<void> {
  const { caller } = authenticated
  const maker = makerOf(authenticated)
  outcome.result = await beginJob(
    { caller, db },
    { request, operation, document, maker, about: checks.about },
  )
  outcome.isJob = true
  outcome.headers.set('preference-applied', 'respond-async')
}

type Fields = Record<string, unknown>

const isFields = (document: unknown): document is Fields =>
  typeof document === 'object' && document !== null && !Array.isArray(document)

/** The fields that are missing in the document of a PUT, and keep their values. */
const stayingFields = ({ request, schema, document }: Incoming): string[] =>
  request.method === 'PUT' && schema && isFields(document)
    ? stayingIn(schema).filter((name) => (document[name] ?? null) === null)
    : []

const withFields = (document: unknown, fields: Fields): unknown =>
  isFields(document) ? { ...document, ...fields } : document

/** The row that the path names, and its document if the event, If-Match or a field that stays needs it. Throws 412 if If-Match names another state. */
async function findTarget(
  spec: Operation,
  context: PathContext,
  { request, isShown }: { request: Exchange; isShown: boolean },
) {
  const { find, view } = spec.target ?? {}
  const found = await find?.(context, context.params)
  const isNeeded = spec.kind === 'writes' && (spec.event || isShown || request.headers.has('if-match'))
  if (!view || !isNeeded) return { found, before: undefined }
  const before = await view(found, context)
  requireCurrent(spec, before, request)
  return { found, before }
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
  const again = new AnswerHeaders(headers)
  again.set('idempotency-replayed', 'true')
  const { session } = authenticated
  return { result: document, session, headers: again, noted: {}, ...(tag && { firstTag: tag }) }
}

/** Runs the handler. Each attempt of a transaction has its own outcome. */
async function run(
  handle: Handle,
  spec: Operation,
  incoming: Incoming,
  context: PathContext & { db: Trx; found: unknown; body: unknown; references: unknown; job?: JobRun },
): Promise<Outcome> {
  const { request, authenticated, segments, query, prepared, unproved } = incoming
  const { session, inConsole } = authenticated
  const outcome: Outcome = { result: undefined, session, headers: new AnswerHeaders(), noted: {} }
  const isFollowed = incoming.format?.syntax === 'stream' && spec.answers?.follow
  outcome.result = await (isFollowed || handle)({
    ...context,
    request,
    session,
    signedIn: signedInUser(authenticated),
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
    ...innerOperations(context.db, incoming),
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

/** The current document of the resource that the path names. */
async function presentDocument({ target }: Operation, context: PathContext): Promise<object | undefined> {
  return target?.view?.(await target.find?.(context, context.params), context)
}
