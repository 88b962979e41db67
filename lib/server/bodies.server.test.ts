import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { env } from '#lib/ground/env.server'
import { createFrontServer, type Patience } from '#lib/server/front.server'
import { admin, basicOf, router, unique } from '#lib/tools/testing/client'
import { end, listen } from '#lib/tools/testing/raw'
import { withSettings } from '#lib/tools/testing/session'

/* Clients that begin a body and never finish it, on purpose or because of a bad connection. */

const ROOM = 64
const SIGN_IN = '/api/session'
/** Accepts documents of up to 1 MiB; a sign-in is small. */
const PLACES = '/api/admin/datacenters'

let server: Server
let url: string
let port: number
const sockets: Socket[] = []

async function start(patience: Partial<Patience> = {}): Promise<void> {
  server = createFrontServer({
    router: await router(),
    servePage: (_request, response) => void response.end('a page'),
    limits: { requests: ROOM, delay: 60_000 },
    patience,
  })
  port = await listen(server)
  url = `http://127.0.0.1:${port}`
}

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  end(server)
})

async function begin(
  length: number | 'chunked',
  { from = '', sent = 'x', path = SIGN_IN } = {},
): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  const size = length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`
  const hop = from && `x-forwarded-for: ${from}\r\n`
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: h\r\ncontent-type: application/json\r\nauthorization: ${basicOf(admin)}\r\n${hop}${size}\r\n\r\n${sent}`,
  )
  return socket
}

const signIn = async (headers: Record<string, string> = {}) => {
  const answer = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(admin),
  })
  await answer.text()
  return answer.status
}

/** Begins twice as many bodies as there is room for, from these networks in turn. */
async function attack(networks: string[]): Promise<void> {
  for (let index = 0; index < 2 * ROOM; index += 1)
    await begin(index % 2 ? 'chunked' : 2, { from: networks[index % networks.length] ?? '', sent: '' })
}

const behindProxy = { TRUST_PROXY: ['127.0.0.1'] }
const SECOND = 1000

const many = Array.from({ length: 2 * ROOM }, (_, index) => `10.${index >> 8}.${index & 255}.1`)
const oneHost = Array.from({ length: 2 * ROOM }, (_, index) => `2001:db8:1:2::${(index + 1).toString(16)}`)

test.each([
  ['one address', ['192.0.2.1'], '192.0.2.7'],
  ['the same network as the sign-in', ['192.0.2.7'], '192.0.2.7'],
  ['one network of IPv6', oneHost, '2001:db8:ffff::1'],
  ['hundreds of networks', many, '192.0.2.7'],
])('unfinished bodies from %s do not delay a sign-in', { timeout: 60_000 }, async (_, networks, honest) => {
  await withSettings(behindProxy, async () => {
    await start({ pause: 60 * SECOND, small: 60 * SECOND })
    await attack(networks)
    const began = performance.now()
    for (let turn = 0; turn < 5; turn += 1) expect(await signIn({ 'x-forwarded-for': honest })).toBe(200)
    expect(performance.now() - began).toBeLessThan(5 * 2 * SECOND)
  })
})

test('without a proxy unfinished bodies do not refuse a sign-in', {
  timeout: 60_000,
}, async () => {
  expect(env().TRUST_PROXY).toEqual([])
  await start()
  await attack(['192.0.2.1'])
  expect(await signIn()).toBe(200)
})

test('an attack from two networks does not drop the bodies of others', { timeout: 60_000 }, async () => {
  await withSettings(behindProxy, async () => {
    await start({ pause: 60 * SECOND, small: 60 * SECOND })
    const document = JSON.stringify(admin)
    const honest = await begin(document.length, { from: '192.0.2.7', sent: document.slice(0, 9) })
    await attack(['192.0.2.1', '2001:db8::1'])
    honest.write(document.slice(9))
    const [answer] = (await once(honest, 'data')) as [Buffer]
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /)
  })
})

test.each([
  ['a small body that never starts', 2, '', SIGN_IN],
  ['a small body that stops', 100, '{', SIGN_IN],
  ['a large body that never starts', 1_000_000, '', PLACES],
  ['a chunked body that never starts', 'chunked' as const, '', SIGN_IN],
  ['a chunked body that stops', 'chunked' as const, '1\r\n{\r\n', SIGN_IN],
])(
  '%s is 408 within seconds, with the usual security headers',
  { timeout: 30_000 },
  async (_, length, sent, path) => {
    await start({ pause: 0.3 * SECOND })
    const answer = await text(await begin(length, { sent, path }))
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(answer).toMatch(/\r\nx-request-id: \S+\r\n/)
    expect(answer).toMatch(/\r\nx-content-type-options: nosniff\r\n/)
  },
)

const HEAD = 'GET /api/session HTTP/1.1\r\nhost: h\r\n'

test.each([
  // A client that begins its request at that moment would take a 408 for the answer to it.
  ['on which nothing was ever sent ends without an answer', '', ''],
  ['that is kept after an answer ends without another', `${HEAD}\r\n`, 'HTTP/1.1 204 '],
  ['with a head that stops is 408', HEAD, 'HTTP/1.1 408 '],
  ['with a second head that stops is 408', `${HEAD}\r\n${HEAD}`, 'HTTP/1.1 204 HTTP/1.1 408 '],
])('a connection %s', { timeout: 30_000 }, async (_, sent, expected) => {
  await start({ head: 0.3 * SECOND, rest: SECOND })
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  if (sent) socket.write(sent)
  const answers = (await text(socket)).match(/HTTP\/1\.1 \d{3} /g) ?? []
  expect(answers.join('')).toBe(expected)
})

test('a small body that drips is 408 after a few seconds', { timeout: 30_000 }, async () => {
  await start({ small: SECOND, pause: 60 * SECOND })
  const socket = await begin(1000)
  const drips = setInterval(() => socket.writable && socket.write(' '), 200)
  const answer = await text(socket)
  clearInterval(drips)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

test('a large body that arrives slowly is read to its end', { timeout: 30_000 }, async () => {
  await start({ small: 0.5 * SECOND, pause: 2 * SECOND })
  const spaces = ' '.repeat(20_000)
  const document = JSON.stringify({ name: unique('Place') })
  const socket = await begin(document.length + 5 * spaces.length, { sent: '', path: PLACES })
  for (let piece = 0; piece < 5; piece += 1) {
    socket.write(spaces)
    await delay(0.4 * SECOND)
  }
  socket.write(document)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(String(answer)).toMatch(/^HTTP\/1\.1 201 /)
})

const droppedBodies = async (): Promise<number> => {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/http_requests_refused_total\{limit="bodies"\} (\d+)/.exec(metrics)?.[1] ?? 0)
}

test('a dropped body is counted', { timeout: 60_000 }, async () => {
  await start({ pause: 60 * SECOND, small: 60 * SECOND })
  const before = await droppedBodies()
  const first = await begin(2)
  await attack([''])
  expect(await text(first)).toMatch(/^HTTP\/1\.1 408 /)
  expect(await droppedBodies()).toBeGreaterThan(before)
})

/** Not a path of the API: refused before its body is read. */
const NOWHERE = '/api/nowhere'

test('a refused request whose body does not end loses its connection soon after the answer', async () => {
  await start({ pause: 60 * SECOND, small: 60 * SECOND })
  const socket = await begin(1_000_000, { path: NOWHERE })
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /)
})

test('a refused request whose body ends keeps its connection', async () => {
  await start()
  const socket = await begin(100_000, { path: NOWHERE, sent: 'x'.repeat(50_000) })
  const answers: string[] = []
  socket.on('data', (piece) => answers.push(String(piece)))
  await once(socket, 'data')
  socket.write(`${'x'.repeat(50_000)}GET /api/version HTTP/1.1\r\nhost: h\r\n\r\n`)
  await expect.poll(() => answers.join('')).toMatch(/ 404 .* 200 OK/s)
})

test('a body of any announced length is refused before anything is kept for it', async () => {
  await start()
  for (const length of [3_000_000_000, 64_000_000_000]) {
    const socket = await begin(length, { path: PLACES })
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /)
  }
})
