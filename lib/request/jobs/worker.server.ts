import { randomUUID } from 'node:crypto'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { Trx } from '#lib/db/db.server'
import { database, transaction } from '#lib/db/db.server'
import { fixMoment } from '#lib/db/savepoints.server'
import { ApiError } from '#lib/ground/http/errors'
import { log } from '#lib/ground/log.server'
import { inRounds } from '#lib/ground/rounds.server'
import { Turns } from '#lib/ground/turns'
import type { JobRun } from '#lib/record/events/operation.server'
import { eventIn } from '#lib/record/jobs/jobs.server'
import {
  claimJob,
  endJob,
  idsOfStep,
  type JobRow,
  jobById,
  keepProgress,
  keepSelection,
  keepStep,
  listenForJobs,
  makerOfJob,
  progressHere,
  releaseJob,
  renewClaims,
  requestOfJob,
  runningJob,
  Stopped,
  stopsHere,
} from '#lib/record/jobs/store.server'
import { type Acting, actFor, actingAs } from '#lib/request/pipeline/inner.server'
import { refusalOf } from '#lib/request/pipeline/respond.server'

/*
 * Works on jobs (lib/record/jobs). Each step runs the operation of the job again, as a request of its maker would: with their present privileges
 * and visibility, and with the rules of the operation.
 */

/**
 * Jobs that this process has at a time, more than its users have: they share the turns. A plan or an undo has its turn to the end, so these have
 * turns of their own, and a user has one.
 */
const AT_ONCE = 100
const steps = new Turns({ most: 2, mostOfUser: 2 })
const wholeOnes = new Turns({ most: 4, mostOfUser: 1 })
const LOOK = 1000
const RENEW = 5000

const owner = randomUUID()
const active = new Map<number, Promise<void>>()
let isEnding = false

const inJob = async (
  acting: Acting | undefined,
  { path, document }: JobRow,
  job: JobRun,
): Promise<unknown> => {
  if (!acting) throw new ApiError('401-UNAUTHORIZED')
  return acting.operate({
    method: 'POST',
    path,
    ...(document !== null && { document: JSON.parse(document) as unknown }),
    job,
  })
}

/** Selects the rows of the job. */
async function select(job: JobRow): Promise<void> {
  const run: JobRun & { part: 'selection' } = { part: 'selection' }
  await inJob(await actingAs(makerOfJob(job), database().read as Trx, requestOfJob(job)), job, run)
  if (run.ids && run.event) await keepSelection(job.id, run.ids, run.event)
}

/** Changes the rows of the next step, in one transaction with the progress of the job. */
const changeSome = (known: JobRow): Promise<void> =>
  actFor(
    makerOfJob(known),
    async (trx, acting) => {
      const job = await runningJob(trx, known.id)
      if (!job) return
      await fixMoment(trx)
      if (job.step === job.steps) return endJob(trx, job, { state: 'done' })
      const run: JobRun & { part: 'rows' } = { part: 'rows', ids: await idsOfStep(trx, job) }
      await inJob(acting, job, run)
      if (!run.done) throw new Error(`${job.operation} did not say what became of its rows`)
      const next = await keepStep(trx, job, run.done)
      if (next.step === next.steps) await endJob(trx, next, { state: 'done' })
    },
    { request: requestOfJob(known) },
  )

/** Milliseconds between two looks whether another process has stopped a job of one transaction, to which this one says how far it is. */
const LOOK_FOR_STOP = 250

/**
 * Runs a job of one transaction, which ends with the job. If the job is stopped, here or in another process, the transaction gives up at its
 * next statement; if that is its last one, the commit fails.
 */
async function runWhole(known: JobRow): Promise<void> {
  const stop = new AbortController()
  stopsHere.set(known.id, stop)
  const watch = inRounds(LOOK_FOR_STOP, 'a running job could not be read', async () => {
    const job = await jobById(database().read, known.id)
    if (job?.state !== 'running') stop.abort(new Stopped())
    // On SQLite, whose one writer is the transaction of the job, there is no other process.
    else if (database().engine === 'postgres' && progressHere.has(known.id))
      await keepProgress(owner, known.id)
  })
  try {
    await inOneTransaction(known, stop.signal)
  } catch (error) {
    // The job goes on if it was not stopped after all.
    if (!(error instanceof Stopped)) throw error
  } finally {
    clearInterval(watch)
    stopsHere.delete(known.id)
    progressHere.delete(known.id)
  }
}

const inOneTransaction = (known: JobRow, signal: AbortSignal): Promise<void> =>
  actFor(
    makerOfJob(known),
    async (trx, acting) => {
      const job = await jobById(trx, known.id)
      if (job?.state !== 'running') return
      const report = ({ done, total }: { done: number; total: number }) => {
        progressHere.set(job.id, { done, total })
      }
      const result = await inJob(acting, job, { part: 'whole', report })
      const total = progressHere.get(job.id)?.total ?? 0
      await endJob(trx, job, { state: 'done', event: eventIn(result), total })
    },
    { request: requestOfJob(known), alone: true, signal },
  )

const wholes = ['plan.apply', 'event.undo']

function step(job: JobRow): Promise<void> {
  const { user_id: user } = job
  if (wholes.includes(job.operation)) return wholeOnes.run(user, () => runWhole(job))
  return steps.run(user, () => (job.steps === null ? select(job) : changeSome(job)))
}

const fail = (id: number, refusal: ApiError): Promise<void> =>
  transaction(async (trx) => {
    const job = await runningJob(trx, id)
    if (job) await endJob(trx, job, { state: 'failed', refusal })
  })

/** Works on the job until it has ended. While the database cannot be reached or written, the job waits for its next claim. */
async function work(id: number): Promise<void> {
  try {
    for (;;) {
      const job = await jobById(database().write, id)
      if (job?.state !== 'running') {
        await releaseJob(owner, id)
        return
      }
      if (isEnding) {
        await releaseJob(owner, id)
        return
      }
      await step(job)
      // SQLite answers without a turn of the event loop, in which other requests run.
      await setImmediate()
    }
  } catch (error) {
    const refusal = refusalOf(error, `job ${id}`)
    if (refusal.status === 503) throw error
    log().info({ job: id, status: refusal.status }, 'a job has failed')
    await fail(id, refusal)
  }
}

/** Claims a job and begins to work on it. False: none is due. */
async function start(): Promise<boolean> {
  if (isEnding || active.size >= AT_ONCE) return false
  const id = await claimJob(owner)
  if (id === undefined || active.has(id)) return false
  active.set(
    id,
    work(id)
      .catch((err) => log().warn({ err, job: id }, 'a job could not go on'))
      .finally(() => {
        active.delete(id)
        if (isKept) look()
      }),
  )
  return true
}

async function startAll(): Promise<void> {
  while (await start());
}

/** Works on everything that is due, and waits for it. */
export async function workDue(): Promise<void> {
  for (;;) {
    await startAll()
    if (active.size === 0) return
    await Promise.race(active.values())
  }
}

/** Claims one job and does its next step. */
export async function workOnce(): Promise<void> {
  const id = await claimJob(owner)
  const job = id === undefined ? undefined : await jobById(database().write, id)
  if (!job) return
  await step(job)
  await releaseJob(owner, job.id)
}

let isKept = false

const look = (): void => void startAll().catch((err) => log().error({ err }, 'the jobs could not be read'))

/** Looks each second for jobs, and at once for those of this process. */
export function keepWorking(): NodeJS.Timeout[] {
  isKept = true
  listenForJobs(look)
  return [
    inRounds(LOOK, 'the jobs could not be read', startAll),
    inRounds(RENEW, 'the claims of jobs could not be renewed', () => renewClaims(owner, [...active.keys()])),
  ]
}

/** Time (ms) for the present steps at the end of the process. A plan that takes longer begins again in another process. */
const GRACE = 10_000

/** Ends after the present steps. Other processes go on with the jobs at once. */
export function endWorking(): Promise<unknown> {
  isEnding = true
  return Promise.race([Promise.all(active.values()), delay(GRACE, undefined, { ref: false })])
}
