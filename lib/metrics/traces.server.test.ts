import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { env } from '#lib/env.server'
import { ask, startApi } from '#lib/testing/api-process'
import { admin, basicOf, newUser } from '#lib/testing/client'

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Span = { traceId: string; spanId: string; parentSpanId?: string; name: string; attributes: Attribute[] }
type Sent = { resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[] }

/** A collector that records the received spans. */
async function startCollector() {
  const sent: Sent[] = []
  const server = createServer(async (request, response) => {
    sent.push((await json(request)) as Sent)
    response.setHeader('content-type', 'application/json').end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const spans = () =>
    sent
      .flatMap(({ resourceSpans }) => resourceSpans.flatMap((each) => each.scopeSpans))
      .flatMap((each) => each.spans)
  return { sent, spans, url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

const attributesOf = ({ attributes }: { attributes: Attribute[] }) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

test('a request continues the trace of its caller, with its queries as children and without secrets', {
  timeout: 120_000,
}, async () => {
  const user = await newUser()
  const collector = await startCollector()
  const server = await startApi(env(), {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'here',
  })
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const traced = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, 'x-request-id': 'traced' }
  await ask(server, `/api/admin/enterprises/_/users/${user.id}?has=a-secret-word`, {
    as: user,
    headers: traced,
  })
  expect((await ask(server, '/api/admin/scopes/987654321', { as: admin })).status).toBe(404)
  // The stop sends the remaining spans.
  expect(await server.stop()).toBe(0)
  await vi.waitFor(() => expect(collector.spans().length).toBeGreaterThan(3), 10_000)
  collector.close()

  const route = '/api/admin/enterprises/[enterprise]/users/[user]'
  const own = collector.spans().filter((span) => span.traceId === traceId)
  const root = own.find(({ name }) => name === `GET ${route}`)
  expect(root?.parentSpanId).toBe('b7ad6b7169203331')
  expect(root && attributesOf(root)).toEqual({
    'http.request.method': 'GET',
    'http.route': route,
    'http.response.status_code': 200,
    'request.id': 'traced',
  })
  const below = own.filter((span) => span !== root)
  expect(below.length).toBeGreaterThan(0)
  for (const span of below) {
    expect(span.parentSpanId).toBe(root?.spanId)
    expect(span.name).toMatch(/^database (read|scan|stream|write)$/)
  }
  const [first] = collector.sent.flatMap(({ resourceSpans }) => resourceSpans)
  expect(first && attributesOf(first.resource)).toMatchObject({ 'service.name': 'here' })
  const exported = JSON.stringify(collector.sent)
  const secrets = [
    user.password,
    user.nick,
    basicOf(user).slice(6),
    admin.password,
    'a-secret-word',
    '987654321',
  ]
  expect(secrets.filter((each) => exported.includes(each))).toEqual([])
})
