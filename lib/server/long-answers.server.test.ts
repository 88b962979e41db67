import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { answerOf } from '#lib/ground/http/answer.server'
import { open } from '#lib/request/pipeline/open.server'
import { createFrontServer } from '#lib/server/front.server'
import { createRouter, type Router } from '#lib/server/router.server'
import { end, listen } from '#lib/tools/testing/raw'

/* Answers that take longer than proxies, clients and this server wait in silence. */

const said = { summary: 'For this test', answers: { as: 'text/plain' } } as const

/** Longer than any silence below. */
const LONG = 1500

const router = createRouter([
  {
    path: '/api/long',
    handlers: {
      POST: open(async () => {
        await delay(LONG)
        return answerOf('done', { status: 201, headers: { 'content-type': 'text/plain' } })
      }, said),
    },
  },
])

let isCancelled = false

const pieces = createRouter([
  {
    path: '/api/late',
    handlers: {
      GET: open(async (request) => {
        await once(request.signal, 'abort')
        return answerOf(
          new ReadableStream({
            cancel: () => {
              isCancelled = true
            },
          }),
        )
      }, said),
    },
  },
  {
    path: '/api/pieces',
    handlers: {
      GET: open(async (request) => {
        // A handler that watches whether its client leaves listens too.
        request.signal.throwIfAborted()
        return answerOf(
          new ReadableStream({
            start: (body) => {
              for (const piece of ['one ', 'two']) body.enqueue(Buffer.from(piece))
              body.close()
            },
          }),
        )
      }, said),
    },
  },
])

let server: Server

async function start(patience: { silence: number; sign: number }, served: Router = router): Promise<number> {
  server = createFrontServer({
    router: served,
    servePage: (_request, response) => void response.end('a page'),
    limits: { requests: 5, delay: 60_000 },
    patience,
  })
  return listen(server)
}

afterEach(() => end(server))

const answerTo = (port: number, version: '1.0' | '1.1', more = ''): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST /api/long HTTP/${version}\r\nhost: h\r\nconnection: close\r\n${more}\r\n`)
  return text(socket)
}

const PROCESSING = /^HTTP\/1\.1 102 Processing\r\n\r\n/

test('a long answer announces itself, and arrives', async () => {
  const port = await start({ silence: 60_000, sign: 200 })
  const answer = await answerTo(port, '1.1', 'content-length: 0\r\n')
  expect(answer).toMatch(PROCESSING)
  const last = answer.slice(answer.lastIndexOf('HTTP/1.1'))
  expect(last).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
  expect(last).toContain('done')
})

test('a client of HTTP/1.0 gets the answer alone, and no silence cuts it off', async () => {
  const port = await start({ silence: 300, sign: 200 })
  const answer = await answerTo(port, '1.0', 'content-length: 0\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
  expect(answer).toContain('done')
})

test('fetch ignores informational responses before the answer', async () => {
  const port = await start({ silence: 60_000, sign: 200 })
  const response = await fetch(`http://127.0.0.1:${port}/api/long`, { method: 'POST' })
  expect([response.status, await response.text()]).toEqual([201, 'done'])
})

test('a client that sends nothing is disconnected', async () => {
  const port = await start({ silence: 300, sign: 60_000 })
  expect(await text(connect(port, '127.0.0.1'))).toBe('')
})

test('an answer in pieces arrives, and nothing in this server looks like a leak of listeners', async () => {
  const warned = vi.spyOn(process, 'emitWarning')
  const port = await start({ silence: 60_000, sign: 200 }, pieces)
  const answer = await fetch(`http://127.0.0.1:${port}/api/pieces`)
  expect(await answer.text()).toBe('one two')
  expect(warned).not.toHaveBeenCalled()
  warned.mockRestore()
})

test('an answer in pieces ends at once if its client has left before it', async () => {
  const port = await start({ silence: 60_000, sign: 60_000 }, pieces)
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /api/late HTTP/1.1\r\nhost: h\r\n\r\n')
  await once(socket, 'connect')
  const [request] = (await once(server, 'request')) as [IncomingMessage]
  expect(request.url).toBe('/api/late')
  socket.destroy()
  await expect.poll(() => isCancelled).toBe(true)
})
