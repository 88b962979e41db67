import type { Answer } from '#lib/ground/http/answer.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import type { Connections } from '#lib/ground/metrics/metrics.server'

/* Traces for an OpenTelemetry collector. Without a collector the exporter is not loaded. */

type SpanName = { method: string; route: string }

export type Tracing = {
  /** Runs the work of a request under a span of this name. */
  request: (request: Exchange, span: SpanName, work: () => Promise<Answer>) => Promise<Answer>
  /** Records a query that has just ended, for the current request if there is one. */
  query: (connections: Connections, outcome: 'done' | 'failed', ms: number) => void
  /** Flushes the remaining spans. */
  end: () => Promise<void>
}

let tracing: Tracing | undefined

export const startTraces = (to: Tracing): void => {
  tracing = to
}

export const endTraces = async (): Promise<void> => tracing?.end()

export const traceRequest: Tracing['request'] = (request, span, work) =>
  tracing ? tracing.request(request, span, work) : work()

export const traceQuery: Tracing['query'] = (connections, outcome, ms) =>
  tracing?.query(connections, outcome, ms)
