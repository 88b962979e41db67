import { Agent } from 'node:http'
import { type Call, load, timeOf } from '#lib/bench/load'
import { operationsOn, wholeList } from '#lib/bench/operations'
import { cpuTime, peakMemory } from '#lib/bench/processes'
import type { Server } from '#lib/bench/servers'

/** A line of the table. */
export type Figure = {
  operation: string
  database: string
  connections: number
  /** Requests a second. */
  throughput: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Milliseconds of CPU a request, of the server and of the database beside it. */
  cpu: number
}

/** What is measured, told as it comes. */
export type Tell = (figure: Figure) => void

export type Plan = { connections: readonly number[]; seconds: number; only: string; tell: Tell }

/** Until the compiler knows what is hot. */
const WARM_UP = { requests: 1500, seconds: 60 }

type Subject = { operation: string; database: string; server: Server; pids?: number[] }

/** Measures one operation with each number of connections; what it is answered with at first is not counted. */
export async function measure(
  { operation, database, server, pids = [] }: Subject,
  call: () => Call,
  { connections, seconds, tell }: Plan,
): Promise<void> {
  await load(server.url, call, { connections: Math.max(...connections), ...WARM_UP })
  for (const count of connections) {
    const before = cpuTime([server.pid, ...pids])
    const {
      requests,
      seconds: took,
      p50,
      p99,
    } = await load(server.url, call, { connections: count, seconds })
    const cpu = ((cpuTime([server.pid, ...pids]) - before) * 1000) / requests
    tell({ operation, database, connections: count, throughput: requests / took, p50, p99, cpu })
  }
}

/** Every operation whose name contains `only`, on a server that is about a database. */
export async function measureAll(
  database: string,
  server: Server,
  pids: number[],
  plan: Plan,
): Promise<void> {
  const operations = (await operationsOn(server.url)).filter(({ name }) => name.includes(plan.only))
  for (const { name, call } of operations.toSorted((a, b) => Number(a.writes ?? 0) - Number(b.writes ?? 0)))
    await measure({ operation: name, database, server, pids }, call, plan)
}

export type Patience = { database: string; wholeListSeconds: number; longestWait: number; peakMemory: number }

/**
 * Reads the whole list, and searches for what it has never been asked for, while a light request is sent again and again: how long
 * the longest of those took, and the most memory that the server has held since its start.
 */
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
