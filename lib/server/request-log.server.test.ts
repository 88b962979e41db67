import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { env } from '#lib/ground/env.server'
import { type ApiProcess, ask, type Question, startApi } from '#lib/tools/testing/api-process'
import { admin, basicOf, newUser, ORIGIN } from '#lib/tools/testing/client'
import { enrolled } from '#lib/tools/testing/enrolled'
import { freePort } from '#lib/tools/testing/free-port'
import { authorizationOf, connect, register } from '#lib/tools/testing/oauth'
import { getRaw } from '#lib/tools/testing/raw'
import { cookiesOf, pairOf, tokenOf } from '#lib/tools/testing/session'
import { codeOf } from '#lib/tools/testing/totp'

/* The content of the log at its most verbose level, and of traces: of one server, whose start takes seconds. */

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

let server: ApiProcess
let collector: Awaited<ReturnType<typeof startCollector>>

beforeAll(async () => {
  collector = await startCollector()
  server = await startApi(env(), {
    LOG_LEVEL: 'trace',
    BASE_URL: ORIGIN,
    PORT: String(await freePort()),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'here',
  })
}, 120_000)

afterAll(async () => {
  await server.stop()
  collector.close()
})

const SLOW = { timeout: 120_000 }

/** Asks, and waits for the request's line. */
async function asked(
  id: string,
  path: string,
  { headers = {}, ...question }: Question = {},
  method?: string,
) {
  const answer = await ask(server, path, { ...question, headers: { ...headers, 'x-request-id': id } }, method)
  const line = await vi.waitFor(() => {
    const found = server.lines.find((each) => each.includes(id) && each.includes('"msg":"request"'))
    if (!found) throw new Error('there is no line yet')
    return found
  }, 10_000)
  return { answer, line: JSON.parse(line) as Record<string, unknown> }
}

test(
  'each request leaves one line with its id, its user, where it came from, its route, its status and how long it took',
  SLOW,
  async () => {
    const user = await newUser()
    const path = `/api/admin/enterprises/${user.enterpriseId}/users/${user.id}`
    const seen = await asked('known-caller', `${path}?x=1`, { as: user })
    expect(seen.line).toEqual({
      level: 30,
      time: expect.any(String),
      requestId: 'known-caller',
      method: 'GET',
      route: '/api/admin/enterprises/[enterprise]/users/[user]',
      path,
      status: 200,
      ms: expect.any(Number),
      userId: user.id,
      address: '127.0.0.1',
      msg: 'request',
    })
    const refused = await asked('no-caller', '/api/admin/scopes')
    expect(refused.line).toMatchObject({ route: '/api/admin/scopes', status: 401, address: '127.0.0.1' })
    expect(refused.line).not.toHaveProperty('userId')
    expect(server.lines.filter((line) => line.includes('known-caller'))).toHaveLength(1)
  },
)

test('a target that is refused leaves such a line, too, without the target', SLOW, async () => {
  const port = Number(new URL(server.url).port)
  await getRaw(port, '/x/../api/login', { 'x-request-id': 'strange-target' })
  const line = await vi.waitFor(() => {
    const found = server.lines.find((each) => each.includes('strange-target'))
    if (!found) throw new Error('there is no line yet')
    return found
  }, 10_000)
  expect(JSON.parse(line)).toMatchObject({ method: 'GET', status: 400, address: '127.0.0.1' })
  expect(line).not.toContain('/x/')
})

test('probes leave a line only if they are refused', SLOW, async () => {
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    const headers = { 'x-request-id': `well${path.replace('/', '-')}` }
    expect((await ask(server, path, { headers })).status).toBe(200)
  }
  const refused = await asked('strange-scrape', '/metrics', { headers: { 'x-forwarded-for': '192.0.2.7' } })
  expect(refused.line).toMatchObject({ route: '/metrics', status: 403 })
  expect(server.lines.filter((line) => line.includes('well-'))).toEqual([])
})

test('nothing that opens anything is in it', SLOW, async () => {
  const { user, secret } = await enrolled()
  const code = codeOf(secret, Date.now() + 30_000)
  const other = await newUser()
  const signIn = { nick: other.nick, password: other.password }
  const basic = await asked('with-code', '/api/login', { as: user, headers: { 'x-service-otp': code } })
  const token = tokenOf(basic.answer)
  await asked('with-token', '/api/login', { headers: { authorization: `Token ${token}` } })
  const wrong = { nick: other.nick, password: 'a password that is wrong' }
  await asked('wrong-password', '/api/session', { body: wrong })
  const { answer } = await asked('sign-in', '/api/session', { body: signIn })
  const cookie = pairOf(cookiesOf(answer).console)
  await asked('with-cookie', '/api/session', { headers: { cookie } })
  const application = await register(other)
  const access = await connect(application, other)
  const signed = authorizationOf(application, 'GET', '/api/login', { token: access })
  await asked('signed', '/api/login', { headers: { authorization: signed } })
  await asked('in-address', '/api/admin/scopes?has=a-secret-word', { as: admin })
  await asked('malformed', '/api/session', { body: { nick: 7, password: 'a password in the wrong place' } })

  const secrets = [
    ...[user.password, other.password, wrong.password, admin.password, 'a password in the wrong place'],
    ...[basicOf(user).slice(6), basicOf(admin).slice(6), token, cookie, cookie.split('=')[1] ?? ''],
    ...[secret, code, application.apiSecret, access.secret, access.key, signed, 'a-secret-word'],
    ...[env().SECRET_KEY],
  ]
  const log = server.lines.join('\n')
  expect(secrets.filter((each) => each === '' || log.includes(each))).toEqual([])
})

test('a request continues the trace of its caller, with its queries as children and without secrets', {
  timeout: 120_000,
}, async () => {
  const user = await newUser()
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const traced = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, 'x-request-id': 'traced' }
  await ask(server, `/api/admin/enterprises/_/users/${user.id}?has=a-secret-word`, {
    as: user,
    headers: traced,
  })
  expect((await ask(server, '/api/admin/scopes/987654321', { as: admin })).status).toBe(404)
  // The stop sends the remaining spans. This test is the last one of this server.
  expect(await server.stop()).toBe(0)
  await vi.waitFor(() => expect(collector.spans().length).toBeGreaterThan(3), 10_000)

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
  const routes = collector.spans().map((span) => attributesOf(span)['http.route'])
  expect(routes).toContain('/api/admin/scopes')
  expect(routes.filter((name) => ['/healthz', '/readyz', '/metrics'].includes(String(name)))).toEqual([])
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
