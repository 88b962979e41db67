import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, test, vi } from 'vitest'
import { Messages } from '#lib/gateway/context'
import { logTo } from '#lib/gateway/log'
import { Metrics } from '#lib/gateway/metrics'
import { serveMetrics } from '#lib/gateway/metrics-server'

/* The metrics and the log of a gateway. */

const figures = { translations: 3, refused: 1, drift: 2, drifts: 5 }
const info = { version: '1.2.3', device: '7', mode: 'enforce' }

let metrics = new Metrics()
beforeEach(() => {
  metrics = new Metrics()
})

const figureOf = (name: string): string | undefined =>
  metrics
    .text(figures, info)
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length + 1)

test('each metric has a help, a type and a value', () => {
  const lines = metrics.text(figures, info).trimEnd().split('\n')
  const names = lines.map((line) => /^# HELP (\w+) \S/.exec(line)?.[1]).filter((name) => name !== undefined)
  expect(names).toContain('gateway_translations')
  for (const name of names) {
    expect(lines.filter((line) => line.startsWith(`# TYPE ${name} `))).toHaveLength(1)
    expect(lines.some((line) => new RegExp(`^${name}(_sum)?(\\{[^}]*\\})? [\\d.e-]+$`).test(line))).toBe(true)
  }
  expect(figureOf('build_info{version="1.2.3",device="7",mode="enforce"}')).toBe('1')
  expect(figureOf('gateway_drift_total')).toBe('5')
  expect(figureOf('gateway_last_answer_timestamp_seconds')).toBe('0')
})

test('the lag is the age of the oldest change that is not in force, also after a failure', () => {
  vi.useFakeTimers({ now: 1_700_000_000_000, toFake: ['Date'] })
  try {
    metrics.want()
    vi.setSystemTime(1_700_000_002_000)
    metrics.beginCarrying()
    metrics.want()
    vi.setSystemTime(1_700_000_005_000)
    expect(figureOf('gateway_lag_seconds')).toBe('5')
    metrics.beginCarrying()
    metrics.endCarrying()
    metrics.endCarrying()
    expect(figureOf('gateway_lag_seconds')).toBe('0')
    expect(figureOf('gateway_carried_seconds_sum')).toBe('5')
    expect(figureOf('gateway_carried_seconds_count')).toBe('1')
  } finally {
    vi.useRealTimers()
  }
})

test('a failure is logged once as a line of JSON, and counted each time', () => {
  const lines: string[] = []
  const messages = new Messages(
    logTo((text) => void lines.push(text), { device: 7 }),
    metrics,
  )
  messages.fail('api', new TypeError('fetch failed', { cause: new Error('refused\nagain') }), 'no answer: ')
  messages.fail('api', new TypeError('fetch failed', { cause: new Error('refused\nagain') }), 'no answer: ')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^\{.*\}\n$/)
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 40,
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    device: 7,
    about: 'api',
    msg: 'no answer: fetch failed (refused\nagain)',
  })
  expect(figureOf('gateway_failures_total{task="api"}')).toBe('2')
  expect(figureOf('gateway_failures_total{task="table"}')).toBe('0')
})

test('the server answers GET /metrics alone, on loopback, and ends with the signal', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const stop = new AbortController()
  await expect(serveMetrics(port, () => '', stop.signal)).rejects.toThrow('EADDRINUSE')
  taken.close()
  await once(taken, 'close')
  const served = serveMetrics(port, () => metrics.text(figures, info), stop.signal)
  const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method })
  const answer = await ask('/metrics')
  expect(answer.headers.get('content-type')).toContain('version=0.0.4')
  expect(await answer.text()).toContain('\ngateway_translations 3\n')
  expect((await ask('/')).status).toBe(404)
  expect((await ask('/metrics', 'POST')).status).toBe(404)
  const statusFor = async (host: string) => {
    const [answered] = await once(get({ port, path: '/metrics', headers: { host } }), 'response')
    return answered.resume().statusCode
  }
  // The name of a page whose DNS leads here.
  expect(await statusFor(`rebound.example:${port}`)).toBe(404)
  expect([await statusFor(`localhost:${port}`), await statusFor('127.0.0.1')]).toEqual([200, 200])
  await expect(fetch(`http://[::1]:${port}/metrics`)).rejects.toThrow()
  stop.abort()
  await served
  await expect(ask('/metrics')).rejects.toThrow()
})
