import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFrontServer } from '#lib/server/front.server'
import { admin, basicOf, router } from '#lib/tools/testing/client'
import { end, listen } from '#lib/tools/testing/raw'

/* Clients that offer another protocol: common Java clients do so with every first request on a connection (h2c). */

const listening = new WeakSet<Server>()

/** As Next does with the first page that it serves: whatever asks for an upgrade from then on is its own. */
function listenForUpgrades({ socket }: IncomingMessage): void {
  const { server } = socket as typeof socket & { server: Server }
  if (listening.has(server)) return
  listening.add(server)
  server.on('upgrade', (_request, duplex) => duplex.end())
}

const server = createFrontServer({
  router: await router(),
  servePage: (request, response) => {
    listenForUpgrades(request)
    response.end('a page')
  },
  limits: { requests: 256, delay: 10_000 },
})
let port: number

beforeAll(async () => {
  port = await listen(server)
})

afterAll(() => end(server))

const offers = {
  'h2c, as Java sends it':
    'Connection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\nUpgrade: h2c',
  'h2c alone': 'Connection: Upgrade\r\nUpgrade: h2c',
  'a web socket':
    'Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  TLS: 'Connection: Upgrade\r\nUpgrade: TLS/1.0',
  'several protocols': 'Connection: Upgrade\r\nUpgrade: h2c, websocket, foo/2',
  'without Connection': 'Upgrade: h2c',
}

const document = JSON.stringify(admin)
const requests: Record<string, { head: string; body?: string; status: number }> = {
  'GET of the API': { head: `GET /api/login HTTP/1.1\r\nAuthorization: ${basicOf(admin)}`, status: 200 },
  'GET without credentials': { head: 'GET /api/login HTTP/1.1', status: 401 },
  'GET of a page': { head: 'GET /scopes HTTP/1.1', status: 200 },
  'GET of what is refused': { head: 'GET /x/../api/login HTTP/1.1', status: 400 },
  'POST with a body': {
    head: `POST /api/session HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${document.length}`,
    body: document,
    status: 200,
  },
  'POST in chunks': {
    head: 'POST /api/session HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked',
    body: `${document.length.toString(16)}\r\n${document}\r\n0\r\n\r\n`,
    status: 200,
  },
}

/** The statuses of the answers to these requests: each is sent when the one before was answered, its body apart from its head. */
async function statusesOf(asked: { head: string; body?: string }[]): Promise<number[]> {
  const socket = connect(port, '127.0.0.1')
  const statuses: number[] = []
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  for (const { head, body = '' } of asked) {
    socket.write(`${head}\r\nHost: h\r\n\r\n${body.slice(0, 5)}`)
    setImmediate(() => socket.write(body.slice(5)))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    statuses.push(Number(/^HTTP\/1\.1 (\d{3}) /.exec(String(answer))?.[1]))
  }
  await closed
  return statuses
}

const last = { head: 'GET /healthz HTTP/1.1\r\nConnection: close' }

const cases = Object.keys(offers).flatMap((offer) =>
  Object.keys(requests).map((name) => [name, offer] as const),
) as [keyof typeof requests, keyof typeof offers][]

describe.each(['before the first page', 'after the first page'])('%s', (moment) => {
  beforeAll(async () => {
    if (moment === 'after the first page') await (await fetch(`http://127.0.0.1:${port}/scopes`)).text()
  })

  test.each(cases)('%s that offers %s is answered, and so is what comes next', async (name, offer) => {
    const { head = '', body = '', status } = requests[name] ?? {}
    const offering = { head: `${head}\r\n${offers[offer]}`, body }
    expect(await statusesOf([offering, last])).toEqual([status, 200])
  })
})
