import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFrontServer } from '#lib/server/front.server'
import { router } from '#lib/tools/testing/client'
import { sendRaw } from '#lib/tools/testing/raw'

/* Requests whose end two servers could see at different places, and methods and paths that nothing here serves: over raw connections. */

let port: number
let pages = 0

const server = createFrontServer({
  router: await router(),
  servePage: (_request, response) => {
    pages += 1
    response.end('a page')
  },
  limits: { requests: 256, delay: 10_000 },
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})

afterAll(() => {
  server.close()
  server.closeAllConnections()
})

const hidden = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

test.each([
  [
    'a length and chunks',
    `Content-Length: ${hidden.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
  ],
  ['two lengths', `Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`],
  ['a length with a sign', `Content-Length: +${hidden.length}\r\n\r\n${hidden}`],
  ['chunks by another name', `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`],
  ['chunks twice', `Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n${hidden}`],
  ['a space before the colon', `Content-Length : ${hidden.length}\r\n\r\n${hidden}`],
  ['a folded header', `X-Folded: a\r\n Content-Length: ${hidden.length}\r\n\r\n${hidden}`],
  ['bare line feeds', `X-Bare: a\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`],
])('request smuggling: %s is refused, and no request follows', async (_what, rest) => {
  const answer = await sendRaw(port, `POST /api/session HTTP/1.1\r\nHost: x\r\n${rest}`)
  expect(answer.status).toBe(400)
  expect(answer.body).not.toContain('HTTP/1.1')
})

test.each(['TRACE /api/version', 'TRACE /', 'TRACE /sign-in'])('%s reveals nothing', async (line) => {
  const secret = 'X-Secret: of-a-proxy'
  const sent = `${line} HTTP/1.1\r\nHost: x\r\n${secret}\r\nConnection: close\r\n\r\n`
  const { status, body } = await sendRaw(port, sent)
  expect([status, body.includes('of-a-proxy')]).toEqual([405, false])
})

test('files beside the program are at most a page of the console: no folder, no file, no history', async () => {
  const before = pages
  for (const path of ['/.git/config', '/package.json', '/lib/', '/data/secret.key', '/data/console.db'])
    expect(
      (await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).body,
    ).toContain('a page')
  expect(pages).toBe(before + 5)
})
