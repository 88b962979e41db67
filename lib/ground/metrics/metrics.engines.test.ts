import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { registry } from '#lib/ground/metrics/metrics.server'
import {
  call,
  expectStatus,
  LOOPBACK,
  newUser,
  router as preparedRouter,
  unique,
} from '#lib/tools/testing/client'
import { newDatacenter, newDevice } from '#lib/tools/testing/nat'
import { withSettings } from '#lib/tools/testing/session'

const router = await preparedRouter()

const scrape = (headers: Record<string, string> = {}, peer = LOOPBACK): Promise<Response> => {
  const request = new Request('http://127.0.0.1/metrics', { headers })
  return router.fetch(request, peer)
}

async function metric(line: string): Promise<number> {
  const text = await (await scrape()).text()
  const found = text.split('\n').find((each) => each.startsWith(`${line} `))
  return Number(found?.split(' ').at(-1) ?? 0)
}

afterEach(() => {
  delete env().METRICS_TOKEN
})

test('clients on this machine can read the metrics, in the text format of Prometheus', async () => {
  const response = await scrape()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const text = await response.text()
  for (const name of [
    'nodejs_eventloop_lag_seconds',
    'process_cpu_seconds_total',
    'http_requests_in_progress 1',
    'database_query_duration_seconds_bucket{',
    'objects{kind="nat-ips"}',
    'objects{kind="nat-ips-assignable"}',
    'objects{kind="nat-findings-set-aside"}',
    'objects{kind="users"}',
    'ends_due',
    'ends_lateness_seconds',
  ])
    expect(text).toContain(name)
})

test('the metrics number the last seal of events, without a series for each', async () => {
  const seal = {
    // Beyond any that a worker's other tests have made.
    number: 999_999,
    first_event: 1,
    last_transaction: 0,
    last_event: 0,
    events: 0,
    newest: 0,
    sealed_at: 1_700_000_000_000,
  }
  const [content, digest] = ['', 'ab'.repeat(32)]
  await transaction((trx) =>
    trx
      .insertInto('event_seals')
      .values({ ...seal, content, digest })
      .execute(),
  )
  try {
    expect(await metric('event_seal')).toBe(999_999)
    expect(await metric('event_seal_timestamp_seconds')).toBe(1_700_000_000)
    expect(await (await scrape()).text()).not.toContain(digest)
  } finally {
    await transaction((trx) => trx.deleteFrom('event_seals').where('number', '=', 999_999).execute())
  }
})

test('the version is a label of build_info', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  expect(await metric(`build_info{version="${version}",node="${process.version}"}`)).toBe(1)
})

test('counters are there before their first event, so that a rate sees it', async () => {
  const names = (await (await scrape()).text()).split('\n').map((line) => line.split(' ', 1)[0])
  for (const name of [
    'http_requests_refused_total{limit="bodies"}',
    'sign_ins_total{outcome="not-linked"}',
    'database_query_duration_seconds_count{connections="scan",outcome="failed"}',
  ])
    expect(names).toContain(name)
})

test('gateways are counted by the status of their last report', async () => {
  const [{ id: datacenter }, refused] = [await newDatacenter(), [{ reason: 'a kernel that is too old' }]]
  const device = async () => (await newDevice(datacenter, { typeName: 'LINUX' })).id
  const [well, ill] = [await device(), await device()]
  const before = [await metric('gateways{status="insync"}'), await metric('gateways{status="refused"}')]
  const report = { mode: 'watch', interval: 30, translations: 0, drift: [], counters: [] }
  for (const [id, faults] of [
    [well, []],
    [ill, refused],
  ] as const) {
    const path = `/api/cloud/locations/${datacenter}/devices/${id}`
    const { revision } = await expectStatus(200, call('GET', `${path}/translations`))
    const body = { ...report, revision, refused: faults }
    await expectStatus(200, call('PUT', `${path}/state`, { body }))
  }
  const after = [await metric('gateways{status="insync"}'), await metric('gateways{status="refused"}')]
  expect(after).toEqual(before.map((count) => count + 1))
})

test('jobs are counted while they wait and run, and for an hour if they fail', async () => {
  const count = async () =>
    Promise.all(['waiting', 'running', 'failed'].map((state) => metric(`jobs{state="${state}"}`)))
  const before = await count()
  const { id } = (await newUser()) as { id: number }
  const row = {
    user_id: id,
    user_nick: 'ada',
    enterprise_id: 1,
    operation: 'natip.update',
    path: '',
    request_id: '',
    ip: '',
    entity_type: 'natip',
    done: 0,
    changed: 0,
    unchanged: 0,
    refused: 0,
    refusals: '[]',
    step: 0,
  }
  const old = { ...row, created_at: Date.now() - 3_600_000 }
  const ended = { state: 'failed', created_at: 0 }
  await transaction((trx) =>
    trx
      .insertInto('jobs')
      .values([
        { ...old, state: 'waiting' },
        { ...old, state: 'running' },
        { ...row, ...ended, ended_at: Date.now() - 60_000 },
        { ...row, ...ended, ended_at: Date.now() - 3_700_000 },
      ])
      .execute(),
  )
  try {
    expect(await count()).toEqual(before.map((each) => each + 1))
    expect(await metric('jobs_oldest_waiting_seconds')).toBeGreaterThanOrEqual(3600)
  } finally {
    await transaction((trx) => trx.deleteFrom('jobs').where('user_id', '=', id).execute())
  }
})

test('other clients cannot read the metrics without METRICS_TOKEN', async () => {
  expect((await scrape({}, '192.0.2.7')).status).toBe(403)
  expect((await scrape({ authorization: 'Bearer undefined' }, '192.0.2.7')).status).toBe(403)
})

const proxyHeaders = {
  forwarded: 'for=127.0.0.1',
  via: '1.1 proxy',
  'x-forwarded-for': '127.0.0.1',
  'x-forwarded-host': 'localhost',
  'x-forwarded-proto': 'http',
  'x-forwarded-port': '80',
  'x-forwarded-server': 'proxy',
  'x-forwarded-prefix': '/',
  'x-forwarded': '127.0.0.1',
  'x-real-ip': '127.0.0.1',
  'x-client-ip': '127.0.0.1',
  'client-ip': '127.0.0.1',
  'x-cluster-client-ip': '127.0.0.1',
  'x-original-forwarded-for': '127.0.0.1',
  'x-original-url': '/metrics',
  'x-remote-addr': '127.0.0.1',
  'x-proxyuser-ip': '127.0.0.1',
  'x-envoy-external-address': '127.0.0.1',
  'x-amzn-trace-id': 'Root=1',
  'x-azure-clientip': '127.0.0.1',
  'x-appengine-user-ip': '127.0.0.1',
  'x-scheme': 'https',
  'true-client-ip': '127.0.0.1',
  'fastly-client-ip': '127.0.0.1',
  'cf-connecting-ip': '127.0.0.1',
  'cdn-loop': 'cdn',
  'front-end-https': 'on',
  'proxy-connection': 'keep-alive',
  'x-forward-for': '127.0.0.1',
  'x-originating-ip': '127.0.0.1',
  'x-host': 'localhost',
  'x-rewrite-url': '/metrics',
  'x-vercel-forwarded-for': '127.0.0.1',
  'x-nf-client-connection-ip': '127.0.0.1',
  'x-amz-cf-id': 'id',
  'x-request-start': 't=1',
  'wl-proxy-client-ip': '127.0.0.1',
  'fly-client-ip': '127.0.0.1',
  'do-connecting-ip': '127.0.0.1',
  'incap-client-ip': '127.0.0.1',
  'ali-cdn-real-ip': '127.0.0.1',
  'max-forwards': '9',
  'x-of-a-proxy-to-come': '127.0.0.1',
}

test.each(Object.entries(proxyHeaders))(
  'a request with %s comes from a proxy, and is refused without the token',
  async (name, value) => {
    expect((await scrape({ [name]: value })).status).toBe(403)
    env().METRICS_TOKEN = 'a-token-for-the-scraper'
    const authorization = 'Bearer a-token-for-the-scraper'
    expect((await scrape({ [name]: value, authorization })).status).toBe(200)
  },
)

test('the usual headers of scrapers and browsers are allowed', async () => {
  const headers = {
    'user-agent': 'Prometheus/3.0',
    accept: 'text/plain;version=0.0.4',
    'accept-encoding': 'gzip',
    'accept-language': 'en',
    'cache-control': 'no-cache',
    'sec-fetch-site': 'none',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    'x-prometheus-scrape-timeout-seconds': '10',
  }
  expect((await scrape(headers)).status).toBe(200)
})

test('METRICS_TOKEN allows reading from other machines, and no other token does', async () => {
  env().METRICS_TOKEN = 'a-token-for-the-scraper'
  const refused = await scrape({ authorization: 'Bearer another-token-of-somebody' }, '192.0.2.7')
  expect(refused.status).toBe(401)
  expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/)
  expect((await scrape({ authorization: 'Bearer a-token-for-the-scraper' }, '192.0.2.7')).status).toBe(200)
})

test('a page that points its own name at this machine reads nothing: an unknown Host is 403', async () => {
  const host = 'rebound.example:3000'
  expect((await scrape({ host })).status).toBe(403)
  env().METRICS_TOKEN = 'a-token-for-the-scraper'
  expect((await scrape({ host })).status).toBe(403)
  expect((await scrape({ host, authorization: 'Bearer another-token-of-somebody' })).status).toBe(403)
  expect((await scrape({ host, authorization: 'Bearer a-token-for-the-scraper' })).status).toBe(200)
  for (const known of ['localhost:3000', '127.0.0.1', '[::1]:3000', 'console.localhost'])
    expect((await scrape({ host: known })).status).toBe(200)
  await withSettings({ BASE_URL: 'https://rebound.example' }, async () => {
    expect((await scrape({ host })).status).toBe(200)
    expect((await scrape({ host: 'rebound.example.test' })).status).toBe(403)
  })
})

test('requests are counted by route and status, without the values in their paths', async () => {
  const line =
    'http_request_duration_seconds_count{method="GET",route="/api/admin/scopes/[scope]",status="404"}'
  const before = await metric(line)
  await call('GET', '/api/admin/scopes/987654321')
  await call('GET', '/api/admin/scopes/987654322')
  expect(await metric(line)).toBe(before + 2)
  await call('GET', `/api/nowhere/${unique('whisper').replace(' ', '-')}`)
  const text = await (await scrape()).text()
  expect(text).toContain('route="unknown",status="404"')
  expect(text).not.toMatch(/987654321|whisper/)
})

test('requests that wait by design are measured apart, and counted with the others', async () => {
  const [{ id: datacenter }] = [await newDatacenter()]
  const { id: device } = await newDevice(datacenter, { typeName: 'LINUX' })
  const path = `/api/cloud/locations/${datacenter}/devices/${device}/translations`
  const labels =
    '{method="GET",route="/api/cloud/locations/[datacenter]/devices/[device]/translations",status="200"}'
  const figures = () =>
    Promise.all(
      [
        'http_request_duration_seconds_count',
        'http_waiting_request_duration_seconds_count',
        'http_requests_total',
      ].map((name) => metric(`${name}${labels}`)),
    )
  const [usual = 0, waiting = 0, all = 0] = await figures()
  await expectStatus(200, call('GET', path))
  expect(await figures()).toEqual([usual + 1, waiting, all + 1])
  await expectStatus(200, call('GET', `${path}?wait=1`))
  expect(await figures()).toEqual([usual + 1, waiting + 1, all + 2])
  const stream =
    'http_waiting_request_duration_seconds_count{method="GET",route="/api/events/stream",status="200"}'
  const before = await metric(stream)
  const opened = await call('GET', '/api/events/stream', { headers: { accept: 'text/event-stream' } })
  await opened.body?.cancel()
  expect(await metric(stream)).toBe(before + 1)
})

test('sign-ins are counted by outcome, without nicks', async () => {
  const user = await newUser()
  const before = {
    in: await metric('sign_ins_total{outcome="signed-in"}'),
    wrong: await metric('sign_ins_total{outcome="password"}'),
  }
  const { nick, password } = user
  await expectStatus(200, call('POST', '/api/session', { as: null, body: { nick, password } }))
  await expectStatus(401, call('GET', '/api/login', { as: { ...user, password: 'not this one' } }))
  expect(await metric('sign_ins_total{outcome="signed-in"}')).toBe(before.in + 1)
  expect(await metric('sign_ins_total{outcome="password"}')).toBe(before.wrong + 1)
  expect(await (await scrape()).text()).not.toContain(user.nick)
})

type Dashboard = { panels: { title: string; targets: { expr: string; legendFormat: string }[] }[] }

test('the dashboard uses only existing metrics and labels', async () => {
  const dashboard = JSON.parse(readFileSync(join(import.meta.dirname, 'dashboard.json'), 'utf8')) as Dashboard
  const measured = new Map<string, ReadonlySet<string>>()
  for (const { name, ...metric } of registry.getMetricsAsArray())
    measured.set(name, new Set('labelNames' in metric ? (metric.labelNames as string[]) : []))
  for (const { expr, legendFormat } of dashboard.panels.flatMap(({ targets }) => targets)) {
    const names = [...expr.matchAll(/([a-z]\w+)\{/g)].map(([, name = '']) =>
      name.replace(/_(bucket|count|sum)$/, ''),
    )
    expect(names.length).toBeGreaterThan(0)
    const known = new Set(['le', 'instance', ...names.flatMap((name) => [...(measured.get(name) ?? ['?'])])])
    expect(known).not.toContain('?')
    const used = [
      ...[...expr.matchAll(/by \(([^)]+)\)/g)].flatMap(([, labels = '']) => labels.split(', ')),
      ...[...expr.matchAll(/(\w+)=~?"/g)].map(([, label]) => label),
      ...[...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label),
    ]
    for (const label of used) expect(known).toContain(label)
  }
})
