import { type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { can, seesEverything } from '#lib/caller/auth/privileges'
import type { Maker } from '#lib/caller/auth/strategy.server'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import {
  holdsOneOf,
  seesTheDatacenter,
  seesTheEnterprise,
  seesTheScope,
} from '#lib/caller/scopes/holders.server'
import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import { list } from '#lib/db/list.server'
import { insertRow } from '#lib/db/unique.server'
import { clientAddress } from '#lib/ground/http/client-address.server'
import { ApiError, type ErrorCode, fault } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import type { Listing } from '#lib/ground/http/render.server'
import { requestIdOf } from '#lib/ground/http/request-id.server'
import { plainPath } from '#lib/ground/http/route.server'
import { idOfLink, type LinkDocument, link } from '#lib/ground/http/view'
import { type BulkReport, MOST_ROWS } from '#lib/record/bulk/bulk.schema'
import type { Context, JobRun, RefusedRow } from '#lib/record/events/operation.server'
import { visibleThings } from '#lib/record/events/places.server'
import { seesActor, seesEvents, seesPlaces, viewerOf } from '#lib/record/events/sight.server'
import { isOpenState, type JobDocument, type JobQuery, type JobState } from '#lib/record/jobs/jobs.schema'
import {
  endJob,
  type JobRow,
  jobById,
  progressHere,
  type SeenJob,
  Stopped,
  stopsHere,
} from '#lib/record/jobs/store.server'

/* Changes that go on after their request (docs/api/jobs.md, "Jobs"). */

/** The caller's own jobs, and with EVENTLOG_VIEW_ALL those whose event and user the caller would see. */
const visibleJobs = (db: Db, caller: ReadContext['caller']) =>
  db
    .selectFrom('jobs as events')
    .leftJoin('job_claims', 'job_claims.job_id', 'events.id')
    .where(({ or, and, eb }) => {
      const own = eb('events.user_id', '=', caller.id)
      return can(caller, ['EVENTLOG_VIEW_ALL'])
        ? or([own, and([...seesEvents(viewerOf(caller), sql`null`), seesActor(caller)])])
        : own
    })
    .selectAll('events')
    .select(['job_claims.done as done_elsewhere', 'job_claims.total as total_elsewhere'])

/** Throws JOB-0. */
export const findJob = ({ caller, db }: ReadContext, { job }: { job: number }): Promise<SeenJob> =>
  visibleJobs(db, caller)
    .where('events.id', '=', job)
    .executeTakeFirstOrThrow(() => new ApiError('JOB-0'))

/** The users who see the job: the inverse of `visibleJobs`. */
async function seenBy(context: ReadContext, path: { job: number }) {
  const job = await findJob(context, path)
  const places = [
    [job.enterprise_id, seesTheEnterprise],
    [job.about_enterprise_id, seesTheEnterprise],
    [job.was_enterprise_id, seesTheEnterprise],
    [job.about_datacenter_id, seesTheDatacenter],
    [job.about_scope_id, seesTheScope],
  ] as const
  const others = [
    holdsOneOf(['EVENTLOG_VIEW_ALL']),
    ...places.flatMap(([id, sees]) => (id === null ? [] : [sees(id)])),
  ]
  return sql<SqlBool>`(users.id = ${job.user_id} or (${sql.join(others, sql` and `)}))`
}

export const jobTarget = { ids: { job: 'JOB-0' }, find: findJob, seenBy } as const

/** Seconds. */
const RETRY_AFTER = 15

const pathOfJob = (id: number): string => `/jobs/${id}`
export const isOpen = ({ state }: JobRow): boolean => isOpenState(state)
const isoOf = (time: number): string => new Date(time).toISOString()

/** The document that the operation would have answered with. Refused rows may have names that only the maker sees. */
function resultLink(job: JobRow, isOwn: boolean): LinkDocument[] {
  if (job.operation === 'plan.apply')
    return isOwn ? [link('result', job.path.replace(/\/action\/.*/, ''), 'plan')] : []
  if (job.operation === 'event.undo')
    return job.event_id === null ? [] : [link('result', `/events/${job.event_id}`, 'event')]
  return isOwn && job.steps !== null ? [link('result', `${pathOfJob(job.id)}/report`, 'bulkreport')] : []
}

/** The caller, and the grant that they act by. */
export type Asker = Pick<Context, 'caller' | 'maker'>

/** A user stops all of their jobs; an access token or a program those that it made itself. */
const mayStop = ({ user, accessToken, oauthToken }: Maker, job: JobRow): boolean => {
  if (job.user_id !== user) return false
  const isGrant = accessToken !== undefined || oauthToken !== undefined
  return (
    !isGrant || (job.access_token_id === (accessToken ?? null) && job.oauth_token_id === (oauthToken ?? null))
  )
}

/** Of these all rows are where the job is, so that who sees the job sees them. */
const openOperations = ['natip.update', 'natip.delete', 'natip.attach']
/** The rows of these may be of several enterprises. */
const sharedOperations = ['natip.release', 'natrule.update', 'natrule.delete', 'user.update', 'user.delete']

/** Only they see how many rows there are. */
const seesRows = ({ id, scope }: Asker['caller'], job: JobRow): boolean =>
  job.user_id === id ||
  seesEverything(scope) ||
  openOperations.includes(job.operation) ||
  (scope.allEnterprises && sharedOperations.includes(job.operation))

function numbersOf(job: SeenJob): Pick<JobDocument, 'done' | 'total' | 'refused'> {
  const { done_elsewhere: done, total_elsewhere } = job
  const sofar = progressHere.get(job.id) ?? { done: done ?? job.done, total: total_elsewhere }
  const total = job.total ?? (sofar.total || null)
  return {
    done: job.total === null ? sofar.done : job.done,
    ...(total !== null && { total }),
    refused: job.refused,
  }
}

export function jobView(job: SeenJob, { caller, maker }: Asker): JobDocument {
  const path = pathOfJob(job.id)
  const isOwn = job.user_id === caller.id
  const user = pathOf(kinds.user, { enterprise: job.enterprise_id, id: job.user_id })
  return {
    links: [
      link('self', path, 'job'),
      link('user', user, 'user', job.user_nick),
      ...(mayStop(maker, job) && isOpen(job) ? [link('stop', `${path}/action/stop`, 'job')] : []),
      ...(job.event_id === null ? [] : [link('event', `/events/${job.event_id}`, 'event')]),
      ...resultLink(job, isOwn),
    ],
    id: job.id,
    operation: job.operation,
    state: job.state as JobState,
    ...(seesRows(caller, job) && numbersOf(job)),
    created: isoOf(job.created_at),
    ...(job.began_at !== null && { began: isoOf(job.began_at) }),
    ...(job.ended_at !== null && { ended: isoOf(job.ended_at) }),
    ...(job.code !== null && {
      code: job.code,
      // It may name what a program of the same user may not read.
      message: mayStop(maker, job) ? (job.message ?? '') : fault(job.code as ErrorCode).message,
    }),
  }
}

/** Throws JOB-0. */
export const readJob = async (context: ReadContext & Asker, id: number): Promise<JobDocument> =>
  jobView(await findJob(context, { job: id }), context)

export const showJob = async (context: Asker & { found: SeenJob }): Promise<JobDocument> =>
  jobView(context.found, context)

export const listJobs = ({
  caller,
  maker,
  query: paging,
}: ReadContext & Asker & { query: JobQuery }): Promise<Listing> =>
  list({
    from: (db: Db) =>
      visibleJobs(db, caller)
        .$if(paging.user !== undefined, (jobs) => jobs.where('events.user_id', '=', paging.user ?? 0))
        .$if(paging.state !== undefined, (jobs) => jobs.where('events.state', '=', paging.state ?? '')),
    orders: { id: [] },
    id: 'events.id',
    paging: { ...paging, has: '', descends: true },
    scans: true,
    views: (rows) => rows.map((row) => jobView(row, { caller, maker })),
    path: '/jobs',
  })

/** Throws JOB-0 if the caller no longer sees where the rows of the job are. */
async function requirePlaces({ caller, db }: ReadContext, { id }: JobRow): Promise<void> {
  await db
    .selectFrom('jobs as events')
    .where('events.id', '=', id)
    .where(({ and }) => and(seesPlaces(caller)))
    .select('events.id')
    .executeTakeFirstOrThrow(() => new ApiError('JOB-0'))
}

/** The refused rows, with the names of those that the caller sees now. */
async function refusedRows({ caller, db }: ReadContext, job: JobRow): Promise<BulkReport['refusals']> {
  const [type = ''] = job.operation.split('.')
  const refused = JSON.parse(job.refusals) as RefusedRow[]
  const sees = await visibleThings(
    db,
    caller,
    refused.map(({ id }) => ({ type, id })),
  )
  return refused.map(({ name, ...row }) =>
    name !== undefined && sees({ type, id: row.id }) ? { ...row, name } : row,
  )
}

/** An own job that is done in steps, where the caller still sees its place. Throws JOB-0. */
async function findReport(context: ReadContext, path: { job: number }): Promise<SeenJob> {
  const job = await findJob(context, path)
  if (job.user_id !== context.caller.id || job.steps === null) throw new ApiError('JOB-0')
  await requirePlaces(context, job)
  return job
}

/** Refused rows may have names that only the maker of the job sees. */
export const reportTarget = {
  ids: { job: 'JOB-0' },
  find: findReport,
  seenBy: async (context: ReadContext, path: { job: number }) =>
    sql<SqlBool>`users.id = ${(await findReport(context, path)).user_id}`,
} as const

/** The rows of the job. Throws 403 without the privilege of the change: the report names rows. */
export async function reportOfJob({ caller, db, permit, found: job }: Context & { found: JobRow }) {
  await permit({ method: 'POST', path: job.path })
  const steps = db
    .selectFrom('job_steps')
    .where('job_id', '=', job.id)
    .where('number', '<', job.step)
    .select('ids')
    .orderBy('number')
  const ids: number[] = []
  for (let at = 0; at < job.step && ids.length < MOST_ROWS; at += 50)
    for (const step of await steps.offset(at).limit(50).execute())
      ids.push(...(JSON.parse(step.ids) as number[]))
  const report: BulkReport = {
    links: job.event_id === null ? [] : [link('event', `/events/${job.event_id}`, 'event')],
    total: job.total ?? 0,
    changed: job.changed,
    unchanged: job.unchanged,
    refused: job.refused,
    refusals: await refusedRows({ caller, db }, job),
    ids: ids.slice(0, MOST_ROWS),
    ...(job.event_id !== null && { event: job.event_id }),
  }
  return report
}

/** What was done by then stays. Throws GEN-15, JOB-1. */
export async function stopJob(context: ReadContext & Asker & { found: JobRow }): Promise<JobDocument> {
  const { maker, found } = context
  if (!mayStop(maker, found))
    throw new ApiError(fault('GEN-15', 'Only the user or the program that made a job can stop it'))
  // SQLite has one writer, so the transaction of a plan or an undo has to give up first.
  stopsHere.get(found.id)?.abort(new Stopped())
  await transaction(async (trx) => {
    const job = await trx
      .selectFrom('jobs')
      .where('id', '=', found.id)
      .selectAll()
      .$if(database().engine === 'postgres' && found.steps !== null, (row) => row.forUpdate())
      .executeTakeFirst()
    if (!job || !isOpen(job)) throw new ApiError('JOB-1')
    await endJob(trx, job, { state: 'stopped' })
  })
  return readJob({ ...context, db: database().write }, found.id)
}

type Beginning = {
  request: Exchange
  operation: string
  document: unknown
  maker: Maker
  about: (JobRun & { part: 'checks' })['about'] | undefined
}

/** Jobs of one user that wait or run. */
const MOST_OPEN = 100

async function requireRoom(db: Trx, user: number): Promise<void> {
  const { open } = await db
    .selectFrom('jobs')
    .where('user_id', '=', user)
    .where('state', 'in', ['waiting', 'running'])
    .select((select) => select.fn.countAll<number>().as('open'))
    .executeTakeFirstOrThrow()
  if (Number(open) < MOST_OPEN) return
  const message = `A user may have ${MOST_OPEN} jobs that wait or run: let some end first`
  throw new ApiError(fault('429-TOO-MANY-REQUESTS', message), { retryAfter: RETRY_AFTER })
}

/** Stores the job of this request. Throws 429 if its user has too many. */
export async function beginJob(
  { caller, db }: ReadContext & { db: Trx },
  { request, operation, document, maker, about }: Beginning,
): Promise<JobDocument> {
  if (!about) throw new Error(`The operation of ${operation} does not say what it is about`)
  await requireRoom(db, caller.id)
  const { type, place, was = place } = about
  const id = await insertRow(db, 'jobs', {
    user_id: caller.id,
    user_nick: caller.nick,
    enterprise_id: caller.enterpriseId,
    access_token_id: maker.accessToken ?? null,
    oauth_token_id: maker.oauthToken ?? null,
    operation,
    path: plainPath(request).replace(/^.*?\/api\//, '/'),
    document: document === undefined ? null : JSON.stringify(document),
    request_id: requestIdOf(request),
    ip: clientAddress(request),
    entity_type: type,
    entity_id: about.id ?? null,
    about_enterprise_id: place.enterprise ?? null,
    was_enterprise_id: was.enterprise ?? null,
    about_datacenter_id: place.datacenter ?? null,
    about_scope_id: place.scope ?? null,
    state: 'waiting',
    step: 0,
    done: 0,
    changed: 0,
    unchanged: 0,
    refused: 0,
    refusals: '[]',
    created_at: Date.now(),
  })
  const job = await jobById(db, id)
  if (!job) throw new ApiError('JOB-0')
  return jobView(job, { caller, maker })
}

/** The id of the event that an operation of one transaction answered with, or links. */
export function eventIn(result: unknown): number | undefined {
  const document = (result && typeof result === 'object' && 'head' in result ? result.head : result) as
    | { links?: LinkDocument[] }
    | undefined
  const links = document?.links ?? []
  const found =
    links.find(({ rel, type }) => rel === 'self' && type === 'event') ??
    links.find(({ rel }) => rel === 'event')
  return idOfLink(found)
}
