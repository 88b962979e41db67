import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { env } from '#lib/ground/env.server'
import { type ApiProcess, failingStart, startApi } from '#lib/tools/testing/api-process'
import { admin, basicOf } from '#lib/tools/testing/client'
import { ownDatabase, type Settings } from '#lib/tools/testing/own-database'

/* One address with two processes behind it, by WEB_CONCURRENCY. An embedded database has one process. */

const isServed = env().DATABASE_URL !== undefined
const onPostgres = isServed ? test : () => {}

let settings: Settings
let server: ApiProcess

const start = (others = {}) => startApi(settings, { WEB_CONCURRENCY: '2', LOG_LEVEL: 'error', ...others })

if (isServed) {
  beforeAll(async () => {
    settings = await ownDatabase()
    server = await start({ ADMIN_PASSWORD: '' })
  }, 120_000)

  afterAll(() => server.stop(), 60_000)
}

/** Its processes, oldest first. */
const workersOf = ({ process: { pid } }: ApiProcess): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** A connection of its own: the primary hands them out in turn. */
async function onOwnConnection(path: string): Promise<string> {
  const answer = await fetch(server.url + path, { headers: { connection: 'close' } })
  expect(answer.status).toBe(200)
  return answer.text()
}

onPostgres('says once where it serves, and once the first administrator’s password', () => {
  expect(server.lines.map((line) => line.replace(/password \S+/, 'password …'))).toEqual([
    'First administrator: admin, password … (shown this once)',
    `Console and API: ${server.url}`,
  ])
  expect(workersOf(server)).toHaveLength(2)
})

onPostgres('its figures are those of all processes, whichever is asked', async () => {
  const count = async () => {
    const figures = await onOwnConnection('/metrics')
    expect(figures.match(/^objects\{kind="users"\} 1$/gm)).toHaveLength(1)
    const line =
      /^http_request_duration_seconds_count\{method="GET",route="\/api\/version",status="200"\} (\d+)$/m
    return Number(line.exec(figures)?.[1] ?? 0)
  }
  for (let index = 0; index < 6; index += 1) await onOwnConnection('/api/version')
  expect([await count(), await count(), await count()]).toEqual([6, 6, 6])
})

onPostgres('a process that dies is replaced, and the other serves on meanwhile', async () => {
  const before = workersOf(server)
  const [first = 0, second = 0] = before
  process.kill(first, 'SIGKILL')
  await vi.waitFor(() => expect(workersOf(server)).not.toContain(first), 5000)
  await onOwnConnection('/healthz')
  await vi.waitFor(() => expect(workersOf(server)).toHaveLength(2), { timeout: 10_000, interval: 100 })
  expect(workersOf(server)).toContain(second)
  await onOwnConnection('/readyz')
})

/** A request of which the server has the head, and waits for the body. */
async function begin(password: string): Promise<() => Promise<string>> {
  const body = JSON.stringify({ name: 'Begun before the end', location: '' })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST /api/admin/datacenters HTTP/1.1\r\nhost: console.localhost\r\nauthorization: ${basicOf({ ...admin, password })}\r\n` +
      `content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n`,
  )
  const [first] = (await once(socket, 'data')) as [Buffer]
  expect(first.toString()).toContain('100 Continue')
  return async () => {
    socket.write(body)
    return text(socket)
  }
}

const SLOW = { timeout: 120_000 }

onPostgres(
  'SIGTERM ends all of it in order: what was begun is finished, and nothing is left',
  SLOW,
  async () => {
    const workers = workersOf(server)
    const [, password = ''] = /password (\S+)/.exec(server.lines[0] ?? '') ?? []
    const finish = await begin(password)
    const silent = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {})
    await once(silent, 'connect')
    const stopped = server.stop()
    const knock = () => fetch(`${server.url}/healthz`, { signal: AbortSignal.timeout(1000) })
    await vi.waitFor(() => expect(knock()).rejects.toThrow(), 10_000)
    expect(await finish()).toContain('HTTP/1.1 201 Created')
    const finished = performance.now()
    expect(await stopped).toBe(0)
    expect(
      performance.now() - finished,
      'nobody waits for a connection at rest, or for one that never asked',
    ).toBeLessThan(10_000)
    for (const worker of workers) expect(() => process.kill(worker, 0)).toThrow('ESRCH')
  },
)

onPostgres('no process outlives the one that has started it', SLOW, async () => {
  const killed = await start()
  const workers = workersOf(killed)
  expect(workers).toHaveLength(2)
  killed.process.kill('SIGKILL')
  for (const worker of workers)
    await vi.waitFor(() => expect(() => process.kill(worker, 0)).toThrow('ESRCH'), 10_000)
})

test('an embedded database is served by one process alone', SLOW, async () => {
  const { code, said } = await failingStart({ DATA_DIR: env().DATA_DIR }, { WEB_CONCURRENCY: '2' })
  expect(code).toBe(1)
  expect(said).toBe(
    'Setting WEB_CONCURRENCY: must be 1 without DATABASE_URL: the embedded database is served by one process\n',
  )
})

onPostgres('an address that cannot be had stops the start with one line', SLOW, async () => {
  // RFC 5737: an address without a host.
  const address = { HOST: '192.0.2.1', PORT: '1' }
  const { code, said } = await failingStart(settings, { WEB_CONCURRENCY: '2', ...address })
  expect(code).toBe(1)
  expect(said).toMatch(/^Cannot listen on HOST 192\.0\.2\.1, PORT 1: .+\n$/)
})
