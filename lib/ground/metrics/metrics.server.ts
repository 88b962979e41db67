import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/* Metrics of this process for Prometheus. No label contains a user, an id or an address. */

export const registry = new Registry()
collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 10 })

const registers = [registry]

const requests = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from a request to the head of its response, by route and status',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
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

/** Starts the measurement of a request to this route pattern. Call the returned function with the status. */
export function startRequest(method: string, route: string): (status: number) => void {
  const began = performance.now()
  running += 1
  return (status) => {
    running -= 1
    requests.observe({ method, route, status }, (performance.now() - began) / 1000)
  }
}

const overload = new Counter({
  name: 'http_requests_refused_total',
  help: 'Requests refused because of overload, by exceeded limit',
  labelNames: ['limit'],
  registers,
})

export type Limit = 'requests' | 'bodies' | 'delay' | 'passwords'

export const noteOverload = (limit: Limit): void => overload.inc({ limit })

const queries = new Histogram({
  name: 'database_query_duration_seconds',
  help: 'Time of a database query, by group of connections',
  labelNames: ['connections', 'outcome'],
  buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
  registers,
})

export type Connections = 'read' | 'scan' | 'stream' | 'write'

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

type SignInOutcome =
  | 'signed-in'
  | 'password'
  | 'code'
  | 'passkey'
  | 'address'
  | 'subject'
  | 'not-linked'
  | 'throttled'

export const noteSignIn = (outcome: SignInOutcome): void => signIns.inc({ outcome })

const sizes = new Gauge({
  name: 'objects',
  help: 'Number of objects by kind, counted at most once a minute',
  labelNames: ['kind'],
  // Every process counts all objects, so only the scraped process reports them.
  aggregator: 'omit',
  registers,
})

const lastSeal = new Gauge({
  name: 'event_seal',
  help: 'Number of the last seal of events, with its digest',
  labelNames: ['digest'],
  aggregator: 'omit',
  registers,
})

export function setSeal({ number, digest }: { number: number; digest: string }): void {
  lastSeal.reset()
  lastSeal.set({ digest }, number)
}

/** Metrics that are the same in every process. */
export const sharedFigures = async (): Promise<string> =>
  (await Promise.all(['objects', 'event_seal'].map((name) => registry.getSingleMetricAsString(name)))).join(
    '\n',
  )

export const setSize = (kind: string, count: number): void => sizes.set({ kind }, count)
