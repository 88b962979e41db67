import { Agent } from 'node:http'
import { type Call, type Load, load, timeOf } from '#lib/tools/bench/load'
import { type BenchOperation, operationsOn, wholeList } from '#lib/tools/bench/operations'
import { cpuTime, peakMemory } from '#lib/tools/bench/processes'
import type { Server } from '#lib/tools/bench/servers'

export type Figure = {
  operation: string
  database: string
  connections: number
  /** Requests per second. */
  throughput: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** CPU time per request in milliseconds, of the server and its database. */
  cpu: number
}

/** Called with each figure as soon as it is measured. */
export type OnFigure = (figure: Figure) => void

export type Plan = { connections: readonly number[]; seconds: number; only: RegExp; onFigure: OnFigure }

type Subject = { database: string; server: Server; pids?: number[] }

/** Each operation is measured in this many rounds, with all others in between. */
const ROUNDS = 3

type Slice = Load & { cpu: number }

async function sliceOf(
  { server, pids = [] }: Subject,
  call: () => Call,
  connections: number,
  seconds: number,
): Promise<Slice> {
  const before = cpuTime([server.pid, ...pids])
  const { seconds: took, times } = await load(server.url, call, { connections, seconds })
  return { seconds: took, times, cpu: ((cpuTime([server.pid, ...pids]) - before) * 1000) / times.length }
}

const at = (sorted: Float64Array, part: number): number =>
  sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0

/** Takes the CPU time of the cheapest round: other load and cold caches only add to it. */
function figureOf(slices: readonly Slice[]): Pick<Figure, 'throughput' | 'p50' | 'p99' | 'cpu'> {
  const times = Float64Array.from(slices.flatMap((slice) => slice.times)).sort()
  const seconds = slices.reduce((sum, slice) => sum + slice.seconds, 0)
  return {
    throughput: times.length / seconds,
    p50: at(times, 0.5),
    p99: at(times, 0.99),
    cpu: Math.min(...slices.map(({ cpu }) => cpu)),
  }
}

export async function measure(
  subject: Subject,
  operations: readonly BenchOperation[],
  { connections, seconds, onFigure }: Plan,
): Promise<void> {
  const most = Math.max(...connections)
  // Warms up the JIT compiler and the shared caches.
  for (const { call } of operations)
    await load(subject.server.url, call, { connections: 1, seconds: 5, requests: 200 })
  const rounds = Array.from({ length: ROUNDS }, () => operations)
  const slices = new Map<string, Slice[]>()
  for (const { name, call } of rounds.flat())
    for (const count of connections) {
      const key = `${name} ${count}`
      // Each process fills its own caches, and a write empties them.
      await load(subject.server.url, call, { connections: most, seconds: 5, requests: 2 * most })
      const slice = await sliceOf(subject, call, count, seconds / ROUNDS)
      slices.set(key, [...(slices.get(key) ?? []), slice])
    }
  for (const { name } of operations)
    for (const count of connections) {
      const figure = figureOf(slices.get(`${name} ${count}`) ?? [])
      onFigure({ operation: name, database: subject.database, connections: count, ...figure })
    }
}

/** Measures every operation whose name matches `only`, first reads and then writes. */
export async function measureAll(subject: Subject, plan: Plan): Promise<void> {
  const operations = (await operationsOn(subject.server.url)).filter(({ name }) => plan.only.test(name))
  for (const writing of [false, true])
    await measure(
      subject,
      operations.filter(({ writes = false }) => writes === writing),
      plan,
    )
}

export type Patience = { database: string; wholeListSeconds: number; longestWait: number; peakMemory: number }

/** Repeats a light request beside a full export and uncached searches. Returns its longest time and the server's peak memory. */
export async function measurePatience(database: string, server: Server): Promise<Patience> {
  const whole = await wholeList(server.url)
  const light: Call = { path: '/api/login', headers: whole.headers ?? {} }
  const agent = new Agent({ keepAlive: true })
  const searches = ['allips', 'allrules'].flatMap((list) =>
    ['.7', '1.2', 'none of them'].map((has): Call => {
      const path = whole.path.replace('allips', list).replace('limit=0', `has=${encodeURIComponent(has)}`)
      return { path, headers: whole.headers ?? {} }
    }),
  )
  let heavy = true
  let longestWait = 0
  const waiting = (async () => {
    while (heavy) longestWait = Math.max(longestWait, await timeOf(server.url, light, agent))
  })()
  const [wholeListTime] = await Promise.all([
    timeOf(server.url, whole),
    ...searches.map((search) => timeOf(server.url, search)),
  ])
  heavy = false
  await waiting
  agent.destroy()
  const wholeListSeconds = (wholeListTime ?? 0) / 1000
  return { database, wholeListSeconds, longestWait, peakMemory: peakMemory(server.pid) }
}
