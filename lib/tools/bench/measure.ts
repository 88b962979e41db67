import { Agent } from 'node:http'
import { type Call, type Extent, type Load, load, timeOf } from '#lib/tools/bench/load'
import { type BenchOperation, operationsOn, wholeList } from '#lib/tools/bench/operations'
import { cpuBetween, cpuTimes, peakMemory } from '#lib/tools/bench/processes'
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
  /** That of the floor. */
  floor?: number
}

/** Called with each figure as soon as it is measured. */
export type OnFigure = (figure: Figure) => void

export type Plan = { connections: readonly number[]; requests: number; only: RegExp; onFigure: OnFigure }

/** `numbers`: how many requests of each operation it has answered. Product and floor get the same ones. */
type Measured = { url: string; pids: number[]; numbers: Map<BenchOperation, number> }

/** The next request of the operation to this server. */
function nextOf({ numbers }: Measured, operation: BenchOperation): () => Call {
  return () => {
    const number = numbers.get(operation) ?? 0
    numbers.set(operation, number + 1)
    return operation.call(number)
  }
}

/** `floor`: measured in turns with the server, over the same file. */
type Subject = { database: string; server: Server; pids?: number[]; floor?: Server | undefined }

/** Each operation is measured in this many rounds, with all others in between. */
const ROUNDS = 3

/** Requests that warm up the JIT compiler and the shared caches. */
const WARM_UP = 1500

type Slice = Load & { cpu: number }

async function sliceOf(measured: Measured, operation: BenchOperation, extent: Extent): Promise<Slice> {
  const { url, pids } = measured
  const before = cpuTimes(pids)
  const loaded = await load(url, nextOf(measured, operation), extent)
  return { ...loaded, cpu: cpuBetween(before, cpuTimes(pids)) / loaded.times.length }
}

const at = (sorted: Float64Array, part: number): number =>
  sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0

/** The CPU time of the cheapest round: other load and cold caches only add to it. */
const cheapest = (slices: readonly Slice[]): number => Math.min(...slices.map(({ cpu }) => cpu))

function figureOf(slices: readonly Slice[]): Pick<Figure, 'throughput' | 'p50' | 'p99' | 'cpu'> {
  const times = Float64Array.from(slices.flatMap((slice) => slice.times)).sort()
  const seconds = slices.reduce((sum, slice) => sum + slice.seconds, 0)
  return {
    throughput: times.length / seconds,
    p50: at(times, 0.5),
    p99: at(times, 0.99),
    cpu: cheapest(slices),
  }
}

export async function measure(
  { database, server, pids = [], floor }: Subject,
  operations: readonly BenchOperation[],
  { connections, requests, onFigure }: Plan,
): Promise<void> {
  const most = Math.max(...connections)
  // Each process fills its own caches, and a write empties them.
  const ahead = 2 * most
  const longest = Math.max(WARM_UP, ahead + requests)
  const ours: Measured = { url: server.url, pids: [server.pid, ...pids], numbers: new Map() }
  const theirs: Measured | undefined = floor && { url: floor.url, pids: [floor.pid], numbers: new Map() }
  const serversOf = ({ hasFloor }: BenchOperation) => (hasFloor && theirs ? [ours, theirs] : [ours])
  for (const operation of operations)
    for (const measured of serversOf(operation)) {
      await operation.prepare?.(longest)
      await load(measured.url, nextOf(measured, operation), { connections: most, requests: WARM_UP })
    }
  const slices = new Map<string, Slice[]>()
  const keyOf = ({ name }: BenchOperation, count: number, { url }: Measured) => `${name} ${count} ${url}`
  for (const operation of Array.from({ length: ROUNDS }, () => operations).flat())
    for (const count of connections)
      for (const measured of serversOf(operation)) {
        await operation.prepare?.(longest)
        await load(measured.url, nextOf(measured, operation), { connections: most, requests: ahead })
        const slice = await sliceOf(measured, operation, { connections: count, requests })
        const key = keyOf(operation, count, measured)
        slices.set(key, [...(slices.get(key) ?? []), slice])
      }
  for (const operation of operations) {
    await operation.prepare?.(0)
    for (const count of connections) {
      const [own = [], least] = serversOf(operation).map((measured) =>
        slices.get(keyOf(operation, count, measured)),
      )
      const figure = { operation: operation.name, database, connections: count, ...figureOf(own) }
      onFigure({ ...figure, ...(least && { floor: cheapest(least) }) })
    }
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
