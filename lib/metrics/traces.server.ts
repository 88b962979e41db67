import type { Connections } from '#lib/metrics/metrics.server'

/* Where a request's time goes, for a collector of OpenTelemetry; without one nothing of it is loaded. */

export type Tracing = {
  /** Runs the work of a request under a span of this name. */
  request: (
    request: Request,
    method: string,
    route: string,
    work: () => Promise<Response>,
  ) => Promise<Response>
  /** A query that has just ended, of whatever request it belongs to. */
  query: (connections: Connections, outcome: 'done' | 'failed', ms: number) => void
  /** Sends what is left. */
  end: () => Promise<void>
}

let tracing: Tracing | undefined

/** Traces from now on. */
export const startTraces = (to: Tracing): void => {
  tracing = to
}

export const endTraces = async (): Promise<void> => tracing?.end()

export const traceRequest: Tracing['request'] = (request, method, route, work) =>
  tracing ? tracing.request(request, method, route, work) : work()

export const traceQuery: Tracing['query'] = (connections, outcome, ms) =>
  tracing?.query(connections, outcome, ms)
