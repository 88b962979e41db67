import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/* Metrics of this process for Prometheus. No label contains a user, an id or an address. */

export const registry = new Registry()
collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 10 })

const registers = [registry]

const requests = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from a request to the head of its response, by route and status, without requests that wait by design',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers,
})

const waitingRequests = new Histogram({
  name: 'http_waiting_request_duration_seconds',
  help: 'The same of requests that wait by design: long polls, streams, and changes that may run as jobs',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.01, 0.1, 1, 10, 60, 600],
  registers,
})

const allRequests = new Counter({
  name: 'http_requests_total',
  help: 'All requests, by route and status',
  labelNames: ['method', 'route', 'status'],
  registers,
})

let running = 0

new Gauge({
  name: 'http_requests_in_progress',
  help: 'API requests in progress',
  registers,
  collect() {
    this.set(running)
  },
})

/** Starts the measurement of a request to this route pattern. Call the returned function with the status, and whether it waits by design. */
export function startRequest(method: string, route: string): (status: number, waits?: boolean) => void {
  const began = performance.now()
  running += 1
  return (status, waits = false) => {
    running -= 1
    const labels = { method, route, status }
    allRequests.inc(labels)
    const measured = waits ? waitingRequests : requests
    measured.observe(labels, (performance.now() - began) / 1000)
  }
}

const overload = new Counter({
  name: 'http_requests_refused_total',
  help: 'Requests refused because of overload, by exceeded limit',
  labelNames: ['limit'],
  registers,
})

const limits = ['requests', 'bodies', 'delay', 'passwords'] as const
export type Limit = (typeof limits)[number]
// A counter that begins with its first event has no increase that a rate could show.
for (const limit of limits) overload.inc({ limit }, 0)

export const noteOverload = (limit: Limit): void => overload.inc({ limit })

const queries = new Histogram({
  name: 'database_query_duration_seconds',
  help: 'Time of a database query, by group of connections',
  labelNames: ['connections', 'outcome'],
  buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
  registers,
})

const groups = ['read', 'scan', 'stream', 'write'] as const
export type Connections = (typeof groups)[number]
for (const connections of groups) queries.zero({ connections, outcome: 'failed' })

export const noteQuery = (connections: Connections, outcome: 'done' | 'failed', ms: number): void =>
  queries.observe({ connections, outcome }, ms / 1000)

const retries = new Counter({
  name: 'database_transaction_retries_total',
  help: 'Transactions that were retried after a conflict',
  registers,
})

export const noteRetry = (): void => retries.inc()

const signIns = new Counter({
  name: 'sign_ins_total',
  help: 'Sign-ins with a password or through a provider, by outcome',
  labelNames: ['outcome'],
  registers,
})

const outcomes = [
  'signed-in',
  'password',
  'code',
  'passkey',
  'address',
  'subject',
  'not-linked',
  'throttled',
] as const
type SignInOutcome = (typeof outcomes)[number]
for (const outcome of outcomes) signIns.inc({ outcome }, 0)

export const noteSignIn = (outcome: SignInOutcome): void => signIns.inc({ outcome })

const ends = new Counter({
  name: 'ends_total',
  help: 'Users, NAT IPs and NAT rules whose end has come, by kind and outcome',
  labelNames: ['kind', 'outcome'],
  registers,
})

/** `refused`: the resource stays, without an end. `failed`: it is tried again. */
type EndOutcome = 'done' | 'refused' | 'failed'

export const noteEnding = (kind: string, outcome: EndOutcome): void => ends.inc({ kind, outcome })

/** Every process reads these from the database, so only the scraped process reports them. */
const sharedGauge = <L extends string = never>(name: string, help: string, labelNames: L[] = []): Gauge<L> =>
  new Gauge({ name, help, labelNames, aggregator: 'omit', registers })

const sizes = sharedGauge('objects', 'Number of objects by kind, counted at most once a minute', ['kind'])

export const setSize = (kind: string, count: number): void => sizes.set({ kind }, count)

const gateways = sharedGauge('gateways', 'Number of gateways by the status of their last report', ['status'])

export const setGateways = (status: string, count: number): void => gateways.set({ status }, count)

const jobs = sharedGauge('jobs', 'Jobs that wait, run, or have failed within the last hour', ['state'])

export const setJobs = (state: string, count: number): void => jobs.set({ state }, count)

const oldestJob = sharedGauge(
  'jobs_oldest_waiting_seconds',
  'Age of the oldest job that waits; 0 if none does',
)

export const setOldestJob = (seconds: number): void => oldestJob.set(seconds)

const endsDue = sharedGauge('ends_due', 'Resources whose end has come, and that have not ended yet')
const endsLateness = sharedGauge(
  'ends_lateness_seconds',
  'Time since the oldest end that is due; 0 if none is',
)

export function setEndsDue({ count, seconds }: { count: number; seconds: number }): void {
  endsDue.set(count)
  endsLateness.set(seconds)
}

const lastBackup = sharedGauge(
  'backup_last_success_timestamp_seconds',
  'When the embedded database was last backed up by the command; 0 if never',
)
// PostgreSQL has backups of its own: no value.
lastBackup.remove()

export const setBackup = (timestamp: number): void => lastBackup.set(timestamp)

const lastSeal = sharedGauge('event_seal', 'Number of the last seal of events')
const sealedAt = sharedGauge('event_seal_timestamp_seconds', 'When the last seal of events was made')

export function setSeal({ number, sealed_at }: { number: number; sealed_at: number }): void {
  lastSeal.set(number)
  sealedAt.set(sealed_at / 1000)
}

const build = sharedGauge('build_info', 'Version of the console and of Node; always 1', ['version', 'node'])

export const setBuild = (version: string): void => build.set({ version, node: process.version }, 1)

const shared = [
  sizes,
  gateways,
  jobs,
  oldestJob,
  endsDue,
  endsLateness,
  lastBackup,
  lastSeal,
  sealedAt,
  build,
]

/** Metrics that are the same in every process. */
export const sharedFigures = async (): Promise<string> =>
  (
    await Promise.all(shared.map(async (gauge) => registry.getSingleMetricAsString((await gauge.get()).name)))
  ).join('\n')
