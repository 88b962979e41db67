import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test, vi } from 'vitest'
import { type AnswerBody, answerOf } from '#lib/ground/http/answer.server'
import { bytesOf } from '#lib/ground/http/body.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { open } from '#lib/request/pipeline/open.server'
import { createFrontServer, type Patience } from '#lib/server/front.server'
import { createRouter } from '#lib/server/router.server'
import { readHealth } from '#lib/server/status.server'

/* Floods and slow clients, on real connections to a front server of its own. */

const said = { summary: 'For this test', answers: { as: 'text/plain' } } as const
const plain = (body: AnswerBody) => answerOf(body, { headers: { 'content-type': 'text/plain' } })

let waiting = Promise.withResolvers<void>()
const burn = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end; );
}

const routes = {
  '/healthz': readHealth,
  '/api/quick': async () => plain('quick'),
  '/api/waits': async () => {
    await waiting.promise
    return plain('waited')
  },
  '/api/burns': async () => {
    burn(4)
    return plain('burnt')
  },
  '/api/blocks': async () => {
    burn(2000)
    return plain('blocked')
  },
  '/api/reads': async (request: Exchange) => plain(String((await bytesOf(request)).length)),
  '/api/endless': async () =>
    plain(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(65_536)) })),
}

const router = createRouter(
  Object.entries(routes).map(([path, handle]) => {
    const handler = open(handle, said)
    return { path, handlers: { GET: handler, POST: handler } }
  }),
)

const running: { server: Server; url: string; port: number }[] = []
const sockets: Socket[] = []

type Limits = { requests?: number; delay?: number; patience?: Partial<Patience> }

async function start({ requests = 5, delay = 10_000, patience }: Limits = {}) {
  const server = createFrontServer({
    router,
    servePage: (_request, response) => void response.end('a page'),
    limits: { requests, delay },
    patience,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const started = { server, port, url: `http://127.0.0.1:${port}` }
  running.push(started)
  return started
}

afterEach(() => {
  waiting.resolve()
  waiting = Promise.withResolvers()
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const { server } of running.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

async function send(port: number, ...parts: string[]): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  for (const part of parts) socket.write(part)
  return socket
}

const connections = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })

/** That many connections that the server has taken, on which nothing was sent yet. */
async function taken({ server, port }: { server: Server; port: number }, count: number): Promise<Socket[]> {
  const before = await connections(server)
  const made = await Promise.all(many(count, () => send(port)))
  await vi.waitFor(async () => expect(await connections(server)).toBe(before + count), 10_000)
  return made
}

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const statusesOf = async (answers: Promise<Response>[]): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {}
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const SLOW_BODY = 'POST /api/reads HTTP/1.1\r\nhost: h\r\ncontent-length: 100\r\n\r\nthe beginning'

test('ten times the capacity: the excess is refused at once, and then there is room at once', async () => {
  const { url } = await start({ requests: 5 })
  const answers = many(50, () => fetch(`${url}/api/waits`))
  const first = await Promise.race(answers)
  expect([first.status, first.headers.get('retry-after')]).toEqual([503, '1'])
  expect(first.headers.get('x-request-id')).toMatch(/./)
  expect(await first.json()).toEqual({
    links: [],
    collection: [{ code: '503-UNAVAILABLE', message: 'The server is overloaded. Try again in a moment.' }],
  })
  await vi.waitFor(async () => expect((await fetch(`${url}/api/quick`)).status).toBe(503), 10_000)
  waiting.resolve()
  expect(await statusesOf(answers)).toEqual({ 200: 5, 503: 45 })
  expect((await fetch(`${url}/api/quick`)).status).toBe(200)
})

test('a refusal has the requested media type, and people get a page', async () => {
  const { url } = await start({ requests: 1 })
  void fetch(`${url}/api/waits`).catch(() => {})
  await vi.waitFor(async () => expect((await fetch(`${url}/api/quick`)).status).toBe(503), 10_000)
  const refused = async (path: string, accept: string) => {
    const answer = await fetch(url + path, { headers: { accept, 'x-request-id': 'mine' } })
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([503, 'mine'])
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    return [answer.headers.get('content-type'), await answer.text()]
  }
  const xml = await refused('/api/quick', 'application/xml')
  expect(xml).toEqual(['application/xml', expect.stringContaining('<code>503-UNAVAILABLE</code>')])
  const problem = await refused('/api/quick', 'application/problem+json')
  expect(problem).toEqual(['application/problem+json', expect.stringContaining('"status":503')])
  const page = await refused('/scopes', 'text/html')
  expect(page).toEqual(['text/html; charset=utf-8', expect.stringContaining('Try again in a moment')])
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})

test('a flood that keeps the process busy is refused where it would be served too late', async () => {
  const started = await start({ requests: 1000, delay: 40 })
  const { url } = started
  expect((await fetch(`${url}/api/quick`)).status).toBe(200)
  const flood = await taken(started, 60)
  for (const socket of flood) socket.write('GET /api/burns HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n')
  const answers = await Promise.all(flood.map((socket) => text(socket)))
  const served = answers.filter((answer) => answer.startsWith('HTTP/1.1 200'))
  const refused = answers.filter((answer) => answer.startsWith('HTTP/1.1 503'))
  expect(served.length + refused.length).toBe(60)
  expect(served.length).toBeGreaterThan(0)
  expect(refused.length).toBeGreaterThan(0)
  expect((await fetch(`${url}/api/quick`)).status).toBe(200)
})

test('one expensive request is no flood: the next request is served', async () => {
  const started = await start({ delay: 1000 })
  const dear = await taken(started, 5)
  for (const [index, socket] of dear.entries())
    socket.write(
      `GET /api/${index === 0 ? 'blocks' : 'quick'} HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n`,
    )
  for (const socket of dear) expect(await text(socket)).toContain('HTTP/1.1 200')
})

const post = (url: string) => fetch(`${url}/api/reads`, { method: 'POST', body: 'more' })

test('slow clients do not block others: the oldest is dropped, and all are cut off in time', async () => {
  const { url, port } = await start({ requests: 5, patience: { pause: 2000 } })
  const slow = await Promise.all(many(5, () => send(port, SLOW_BODY)))
  expect(await (await post(url)).text()).toBe('4')
  expect(await statusesOf(many(3, () => fetch(`${url}/api/quick`)))).toEqual({ 200: 3 })
  for (const socket of slow) expect(await text(socket)).toContain('HTTP/1.1 408')
  expect(await (await post(url)).text()).toBe('4')
})

test('an unfinished head of a request is cut off in time', async () => {
  const { url, port } = await start({ patience: { head: 1000, request: 2000 } })
  const slow = await Promise.all(many(20, () => send(port, 'GET /api/quick HTTP/1.1\r\nhost: h\r\nx-slow: ')))
  expect((await fetch(`${url}/api/quick`)).status).toBe(200)
  for (const socket of slow) expect(await text(socket)).toContain('HTTP/1.1 408')
})

test('clients that do not read their answers do not block others, and are cut off in time', async () => {
  const started = await start({ requests: 5, patience: { silence: 1500 } })
  const { url, server } = started
  for (const socket of await taken(started, 10)) socket.write('GET /api/endless HTTP/1.1\r\nhost: h\r\n\r\n')
  const quick = () => statusesOf(many(5, () => fetch(`${url}/api/quick`)))
  await vi.waitFor(async () => expect(await quick()).toEqual({ 200: 5 }), 10_000)
  await vi.waitFor(async () => expect(await connections(server)).toBeLessThanOrEqual(5), 15_000)
})

test('a connection is kept for longer than a proxy keeps it', async () => {
  const { url } = await start()
  expect((await fetch(`${url}/api/quick`)).headers.get('keep-alive')).toBe('timeout=75')
  const brief = await start({ patience: { rest: 100 } })
  const socket = await send(brief.port, 'GET /api/quick HTTP/1.1\r\nhost: h\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /)
})

test('a head that is too large is 431, and the server continues', async () => {
  const { url, port } = await start()
  const socket = await send(
    port,
    `GET /api/quick HTTP/1.1\r\nhost: h\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`,
  )
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 431 /)
  expect((await fetch(`${url}/api/quick`)).status).toBe(200)
})

test('two thousand idle connections do not block others', { timeout: 30_000 }, async () => {
  const started = await start()
  const { url, server } = started
  // Fewer at a time than the system lets wait to be taken.
  for (let count = 0; count < 2000; count += 250) await taken(started, 250)
  const began = performance.now()
  expect(await statusesOf(many(5, () => fetch(`${url}/api/quick`)))).toEqual({ 200: 5 })
  expect(performance.now() - began).toBeLessThan(2000)
  expect(server.listening).toBe(true)
})
