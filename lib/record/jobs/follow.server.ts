import { database } from '#lib/db/db.server'
import { isUnreachable } from '#lib/db/dialect.server'
import { baseOf } from '#lib/ground/http/origin.server'
import { streamOf } from '#lib/ground/http/pieces.server'
import { renderDocument } from '#lib/ground/http/render.server'
import { log } from '#lib/ground/log.server'
import { inRounds } from '#lib/ground/rounds.server'
import type { Context } from '#lib/record/events/operation.server'
import { freePlace, keepPlaces, takePlace } from '#lib/record/events/stream-places.server'
import { findJob, isOpen, jobView } from '#lib/record/jobs/jobs.server'
import { progressHere } from '#lib/record/jobs/store.server'

/*
 * Streams of jobs (docs/api/jobs.md, "Jobs"). One reader in each process looks at the jobs that are followed, and wakes the streams of those that
 * changed. Each stream decides for each message whether its caller still sees the job.
 */

/** Milliseconds between two looks, and between two comments without news. */
const LOOK = 100
const KEEP_ALIVE = 15_000

type Stream = { job: number; place: string; wake: () => void; isAwake: boolean }

const streams = new Set<Stream>()
const known = new Map<number, string>()
let timers: NodeJS.Timeout[] = []
let isEnding = false

function wake(stream: Stream): void {
  stream.isAwake = true
  stream.wake()
}

/** Ends the streams of this process. */
export function endFollowing(): void {
  isEnding = true
  for (const stream of streams) wake(stream)
}

async function look(): Promise<void> {
  const ids = [...new Set([...streams].map(({ job }) => job))]
  const rows = await database()
    .read.selectFrom('jobs')
    .leftJoin('job_claims', 'job_claims.job_id', 'jobs.id')
    .where('id', 'in', ids)
    .select([
      'id',
      'state',
      'step',
      'jobs.done',
      'jobs.total',
      'event_id',
      'job_claims.done as done_elsewhere',
    ])
    .execute()
    .catch((error) => {
      if (!isUnreachable(error)) throw error
      return undefined
    })
  if (!rows) return
  const found = new Map(rows.map((row) => [row.id, row]))
  for (const id of ids) {
    const version = JSON.stringify([found.get(id), progressHere.get(id)])
    if (known.get(id) === version) continue
    known.set(id, version)
    for (const stream of streams) if (stream.job === id) wake(stream)
  }
}

function join(stream: Stream): void {
  streams.add(stream)
  if (timers.length > 0) return
  timers = [
    inRounds(LOOK, 'the followed jobs could not be read', look),
    inRounds(KEEP_ALIVE, 'the places of streams could not be kept', () =>
      keepPlaces([...streams].map(({ place }) => place)),
    ),
  ]
}

async function leave(stream: Stream): Promise<void> {
  if (!streams.delete(stream)) return
  if (![...streams].some(({ job }) => job === stream.job)) known.delete(stream.job)
  if (streams.size === 0) {
    for (const timer of timers) clearInterval(timer)
    timers = []
  }
  await freePlace(stream.place).catch((err) =>
    log().warn({ err }, 'the place of a stream could not be freed'),
  )
}

/** Waits for a change of the job, or for this many milliseconds. */
const untilNews = (stream: Stream, ms: number): Promise<void> =>
  new Promise((resolve) => {
    if (stream.isAwake || isEnding) return resolve()
    const timer = setTimeout(resolve, Math.max(ms, 0))
    stream.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })

type Following = Pick<Context, 'request' | 'caller' | 'signedIn' | 'maker' | 'presentCaller'> & {
  params: Record<string, number>
}

/** Sends the job whenever it changes, until it has ended or the caller no longer sees it. Throws 429 if the user has too many streams. */
export async function followJob(following: Following) {
  return async (): Promise<ReadableStream<Uint8Array>> => {
    const job = following.params.job ?? 0
    const place = await takePlace('jobs', following.signedIn)
    const stream: Stream = { job, place, wake: () => {}, isAwake: false }
    join(stream)
    const pieces = piecesOf(stream, following)
    return streamOf(pieces, {
      onCancel: () => {
        wake(stream)
        void pieces.return(undefined)
      },
      end: () => leave(stream),
    })
  }
}

async function* piecesOf(
  stream: Stream,
  { request, maker, presentCaller }: Following,
): AsyncGenerator<string> {
  let last = ''
  let due = 0
  for (;;) {
    stream.isAwake = false
    const caller = await presentCaller()
    const job =
      caller && (await findJob({ caller, db: database().read }, { job: stream.job }).catch(() => undefined))
    if (!caller || !job) return
    const data = renderDocument(jobView(job, { caller, maker }), {
      name: 'job',
      syntax: 'json',
      base: baseOf(request),
    })
    if (data !== last || Date.now() >= due) {
      yield data === last ? ': keep-alive\n\n' : `event: job\ndata: ${data}\n\n`
      due = Date.now() + KEEP_ALIVE
    }
    last = data
    if (!isOpen(job) || isEnding || request.signal.aborted) return
    await untilNews(stream, due - Date.now())
  }
}
