import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { SentHeaders } from '#lib/ground/http/exchange.server'
import { requestIdOf } from '#lib/ground/http/request-id.server'
import type { Tracing } from '#lib/ground/metrics/traces.server'

const headers = {
  keys: (carrier: SentHeaders) => [...carrier.keys()],
  get: (carrier: SentHeaders, name: string) => carrier.get(name) ?? undefined,
}

/** Spans follow OpenTelemetry's conventions. They contain no address, header, body, statement or name. */
export function openTracing(version: string): Tracing {
  const name = 'cloud-management-console'
  const configured = detectResources({ detectors: [envDetector, serviceNameEnvDetector] })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': name, 'service.version': version }).merge(configured),
    // The exporter reads OTEL_EXPORTER_OTLP_ENDPOINT, _HEADERS and the like itself.
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: 1000 }),
    ],
  })
  const tracer = provider.getTracer(name, version)
  const propagator = new W3CTraceContextPropagator()
  const current = new AsyncLocalStorage<Context>()

  return {
    async request(request, { method, route }, work) {
      const caller = propagator.extract(ROOT_CONTEXT, request.headers, headers)
      const attributes = {
        'http.request.method': method,
        'http.route': route,
        'request.id': requestIdOf(request),
      }
      const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, caller)
      try {
        const response = await current.run(trace.setSpan(caller, span), work)
        span.setAttribute('http.response.status_code', response.status)
        if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        return response
      } finally {
        span.end()
      }
    },
    query(connections, outcome, ms) {
      const context = current.getStore()
      if (!context) return
      const now = Date.now()
      const span = tracer.startSpan(
        `database ${connections}`,
        { kind: SpanKind.CLIENT, startTime: now - ms },
        context,
      )
      if (outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(now)
    },
    end: () => provider.shutdown(),
  }
}
