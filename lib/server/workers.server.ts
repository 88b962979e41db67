import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { log } from '#lib/ground/log.server'
import { gatherFigures } from '#lib/ground/metrics/workers.server'
import { StartFailure } from '#lib/server/start-failure.server'

/*
 * Several processes behind one address, by node:cluster. The primary serves nothing itself: it restarts workers that die, with a growing
 * pause, and ends all in order. throng 5.0.0 forks again at once and without end, also if no worker ever starts, and kills workers 5 s
 * after SIGTERM by default; its workers cannot report why a start failed.
 */

/** The message of a worker that cannot start. */
export type CannotStart = { kind: 'cannot-start'; message: string }

const isCannotStart = (message: unknown): message is CannotStart =>
  typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'cannot-start'

/** The pause before a restart doubles while a worker keeps dying. */
const PAUSE = 1000
const LONGEST_PAUSE = 30_000
const STEADY = 60_000

let isEnding = false

/** Starts the workers and returns the port when all of them listen. Throws StartFailure. */
export async function startWorkers(count: number, pages: string): Promise<number> {
  gatherFigures()
  endInOrder()
  const places = Array.from({ length: count }, (_, place) => place)
  const ports = await Promise.all(places.map((place) => firstStart(place, pages)))
  return ports[0] ?? 0
}

/** The first worker also does the chores. */
function fork(place: number, pages: string): Worker {
  cluster.setupPrimary({
    exec: join(process.cwd(), 'lib/tools/scripts/worker.ts'),
    args: [pages, ...(place === 0 ? ['chores'] : [])],
  })
  const worker = cluster.fork()
  // The channel fails while a worker dies.
  worker.on('error', (err) => log().debug({ err }, 'a message could not be sent to a worker'))
  return worker
}

async function firstStart(place: number, pages: string): Promise<number> {
  const began = performance.now()
  const worker = fork(place, pages)
  let reason = 'A worker process has ended before it could serve'
  worker.on('message', (message: unknown) => {
    if (isCannotStart(message)) reason = message.message
  })
  const listening = once(worker, 'listening') as Promise<[AddressInfo]>
  const port = await Promise.race([listening, once(worker, 'exit')]).then(([first]) =>
    typeof first === 'object' && first !== null ? first.port : undefined,
  )
  // The shutdown began before all workers had started: end without an error.
  if (isEnding) return new Promise(() => {})
  if (port === undefined) throw new StartFailure(reason)
  restart({ worker, place, pages, began, pause: PAUSE })
  return port
}

type Running = { worker: Worker; place: number; pages: string; began: number; pause: number }

/** Replaces the worker when it dies. */
function restart({ worker, place, pages, began, pause: last }: Running): void {
  worker.once('exit', (code, signal) => {
    if (isEnding) return
    const pause = performance.now() - began > STEADY ? PAUSE : last
    log().error({ place, code, signal, pause }, 'a worker process has died and will be replaced')
    setTimeout(() => {
      if (isEnding) return
      const next = { worker: fork(place, pages), began: performance.now() }
      restart({ ...next, place, pages, pause: Math.min(pause * 2, LONGEST_PAUSE) })
    }, pause)
  })
}

function endInOrder(): void {
  const end = async () => {
    if (isEnding) return
    isEnding = true
    await endWorkers()
    process.exit(0)
  }
  process.on('SIGTERM', () => void end())
  process.on('SIGINT', () => void end())
}

/** Ends all workers, each after its requests in flight. */
export async function endWorkers(): Promise<void> {
  isEnding = true
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker && !worker.isDead())
  await Promise.all(workers.map((worker) => worker && ended(worker)))
}

const ended = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    worker.once('exit', () => resolve())
    worker.process.kill('SIGTERM')
  })
