import { type Selectable, sql } from 'kysely'
import type { Maker } from '#lib/caller/auth/strategy.server'
import { chunksOf } from '#lib/db/chunks'
import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import type { Tables } from '#lib/db/tables.server'
import { type ApiError, fault } from '#lib/ground/http/errors'
import type { Progress } from '#lib/ground/http/event-stream'
import { Exchange } from '#lib/ground/http/exchange.server'
import { MOST_REFUSALS } from '#lib/record/bulk/bulk.schema'
import type { DoneRows, ManyEvent, RefusedRow } from '#lib/record/events/operation.server'
import { addEventSteps, insertEvent } from '#lib/record/events/record.server'

/*
 * The rows of jobs. A claim says which process works on a job, and only saves work: each transaction of a job locks the job's row, continues
 * from its `step`, and commits the changed rows together with that row. So no row is changed twice or left out, even if two processes work
 * on one job.
 */

export type JobRow = Selectable<Tables['jobs']>

/** With how far another process is with it. */
export type SeenJob = JobRow & { done_elsewhere?: number | null; total_elsewhere?: number | null }

/** Rows that one transaction changes, so that other writers wait a fraction of a second at most. */
const STEP = 200
/** Jobs of one user that run at a time. */
const MOST_OF_USER = 3
/** A job whose process is gone is taken up after this time (ms). Claims are renewed each 5 seconds. */
const CLAIM = 20_000
/** Ended jobs are kept for so long (ms). */
const KEPT = 7 * 24 * 60 * 60 * 1000

export const makerOfJob = (job: JobRow): Maker => ({
  user: job.user_id,
  accessToken: job.access_token_id ?? undefined,
  oauthToken: job.oauth_token_id ?? undefined,
})

/** The request of the job's maker, for its events. */
export function requestOfJob({ request_id, ip }: JobRow): Exchange {
  const request = new Exchange({ method: 'POST', url: 'http://localhost', headers: new Headers(), peer: ip })
  request.id = request_id
  return request
}

let onNewJob = (): void => {}

/** Called when a job of this process was committed. */
export const noteNewJob = (): void => onNewJob()

export function listenForJobs(listener: () => void): void {
  onNewJob = listener
}

/** How far jobs of one transaction are that run in this process. */
export const progressHere = new Map<number, Pick<Progress, 'done' | 'total'>>()

/** Ends the transactions of the jobs of one transaction that run in this process. */
export const stopsHere = new Map<number, AbortController>()

/** Why the transaction of a job has ended: the job is stopped. */
export class Stopped extends Error {}

/** Stores how far a job of one transaction is, for other processes. */
export const keepProgress = (owner: string, job: number): Promise<unknown> =>
  database()
    .write.updateTable('job_claims')
    .set(progressHere.get(job) ?? {})
    .where('owner', '=', owner)
    .where('job_id', '=', job)
    .execute()

export const jobById = (db: Db, id: number): Promise<JobRow | undefined> =>
  db.selectFrom('jobs').where('id', '=', id).selectAll().executeTakeFirst()

const runningOfUser = sql<number>`(select count(*) from jobs as others where others.user_id = jobs.user_id and others.state = 'running')`

/** A job that waits for its turn, or whose process is gone: of the user with the fewest running ones the oldest. */
const dueJob = (db: Db, now: number): Promise<{ id: number } | undefined> =>
  db
    .selectFrom('jobs')
    .leftJoin('job_claims', 'job_claims.job_id', 'jobs.id')
    .where(({ or, and, eb }) =>
      or([
        and([
          eb('state', '=', 'running'),
          or([eb('job_claims.until', 'is', null), eb('job_claims.until', '<', now)]),
        ]),
        and([eb('state', '=', 'waiting'), sql<boolean>`${runningOfUser} < ${MOST_OF_USER}`]),
      ]),
    )
    .where('jobs.state', 'in', ['waiting', 'running'])
    .orderBy(runningOfUser)
    .orderBy('jobs.id')
    .limit(1)
    .select('jobs.id')
    .executeTakeFirst()

/** The next job for this process. Undefined: none is due. */
export async function claimJob(owner: string): Promise<number | undefined> {
  if (!(await dueJob(database().read, Date.now()))) return undefined
  return transaction(async (trx) => {
    const now = Date.now()
    const job = await dueJob(trx, now)
    if (!job) return undefined
    const claim = { owner, until: now + CLAIM, done: null, total: null }
    await trx
      .insertInto('job_claims')
      .values({ job_id: job.id, ...claim })
      .onConflict((conflict) => conflict.column('job_id').doUpdateSet(claim))
      .execute()
    await trx
      .updateTable('jobs')
      .set(({ fn, ref, val }) => ({ state: 'running', began_at: fn.coalesce(ref('began_at'), val(now)) }))
      .where('id', '=', job.id)
      .execute()
    return job.id
  })
}

export async function renewClaims(owner: string, jobs: readonly number[]): Promise<void> {
  if (jobs.length === 0) return
  await database()
    .write.updateTable('job_claims')
    .set({ until: Date.now() + CLAIM })
    .where('owner', '=', owner)
    .where('job_id', 'in', jobs)
    .execute()
}

/** Another process may take up the job at once. */
export const releaseJob = (owner: string, job: number): Promise<unknown> =>
  database().write.deleteFrom('job_claims').where('owner', '=', owner).where('job_id', '=', job).execute()

/** The job, locked, if it still runs. */
export const runningJob = (trx: Trx, id: number): Promise<JobRow | undefined> =>
  trx
    .selectFrom('jobs')
    .where('id', '=', id)
    .where('state', '=', 'running')
    .selectAll()
    .$if(database().engine === 'postgres', (row) => row.forUpdate())
    .executeTakeFirst()

/** Stores the rows of the job, once. */
export const keepSelection = (id: number, ids: readonly number[], event: ManyEvent): Promise<void> =>
  transaction(async (trx) => {
    const job = await runningJob(trx, id)
    if (!job || job.steps !== null) return
    const steps = chunksOf(ids, STEP)
    const rows = steps.map((some, number) => ({
      job_id: id,
      number,
      ids: JSON.stringify(some),
      moment: null,
    }))
    for (const some of chunksOf(rows, 100)) await trx.insertInto('job_steps').values(some).execute()
    await trx
      .updateTable('jobs')
      .set({ steps: steps.length, total: ids.length, event: JSON.stringify(event) })
      .where('id', '=', id)
      .execute()
  })

/** The rows of the next step. */
export async function idsOfStep(trx: Trx, { id, step }: JobRow): Promise<number[]> {
  const { ids } = await trx
    .selectFrom('job_steps')
    .where('job_id', '=', id)
    .where('number', '=', step)
    .select('ids')
    .executeTakeFirstOrThrow()
  return JSON.parse(ids) as number[]
}

/** Records what a step did, in its transaction. Returns the job as it is then. */
export async function keepStep(trx: Trx, job: JobRow, done: DoneRows): Promise<JobRow> {
  await trx
    .updateTable('job_steps')
    .set({ ids: JSON.stringify(done.ids), moment: sql<number>`journal_moment()` })
    .where('job_id', '=', job.id)
    .where('number', '=', job.step)
    .execute()
  const refusals = JSON.parse(job.refusals) as RefusedRow[]
  const next = {
    step: job.step + 1,
    done: job.done + done.changed + done.unchanged + done.refused,
    changed: job.changed + done.changed,
    unchanged: job.unchanged + done.unchanged,
    refused: job.refused + done.refused,
    refusals: JSON.stringify([...refusals, ...done.refusals].slice(0, MOST_REFUSALS)),
  }
  await trx.updateTable('jobs').set(next).where('id', '=', job.id).execute()
  return { ...job, ...next }
}

type End = {
  state: 'done' | 'stopped' | 'failed'
  /** The event of a job of one transaction. */
  event?: number | undefined
  total?: number
  refusal?: ApiError
}

/** Ends the job, with the event of what it did. */
export async function endJob(trx: Trx, job: JobRow, { state, event, total, refusal }: End): Promise<void> {
  const [first = fault('GEN-13')] = refusal?.faults ?? []
  // The claim of a job of one transaction was renewed since that began, so to delete it would be a conflict.
  if (event === undefined) await trx.deleteFrom('job_claims').where('job_id', '=', job.id).execute()
  await trx
    .updateTable('jobs')
    .set({
      state,
      ended_at: Date.now(),
      // As long as the request, and not needed any more.
      document: null,
      event_id: event ?? (await recordRows(trx, job)) ?? null,
      ...(total !== undefined && { total, done: total }),
      ...(refusal && {
        code: first.code,
        message: refusal.faults.map(({ message }) => message).join('; '),
      }),
    })
    .where('id', '=', job.id)
    .execute()
}

/** One event for all steps of the job. Undefined if they did nothing. */
async function recordRows(trx: Trx, job: JobRow): Promise<number | undefined> {
  if (job.event === null || job.changed + job.refused === 0) return undefined
  const { action, entity, changes } = JSON.parse(job.event) as ManyEvent
  const event = await insertEvent(trx, {
    request: requestOfJob(job),
    action,
    entity,
    changes: {
      ...changes,
      count: { after: String(job.changed) },
      refused: { after: String(job.refused) },
    },
    by: { id: job.user_id, nick: job.user_nick, enterpriseId: job.enterprise_id },
    undoable: true,
  })
  const steps = await trx
    .selectFrom('job_steps')
    .where('job_id', '=', job.id)
    .where('moment', '<', sql<number>`journal_moment()`)
    .where('ids', '<>', '[]')
    .select('moment')
    .orderBy('moment')
    .execute()
  await addEventSteps(
    trx,
    event,
    steps.flatMap(({ moment }) => moment ?? []),
  )
  return event
}

export const removeOldJobs = (): Promise<unknown> =>
  transaction((trx) =>
    trx
      .deleteFrom('jobs')
      .where('ended_at', '<', Date.now() - KEPT)
      .execute(),
  )
