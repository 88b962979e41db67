import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { answerOf } from '#lib/ground/http/answer.server'
import { rememberConnection, requestOfThisMachine } from '#lib/ground/http/client-address.server'
import { cutShort } from '#lib/ground/http/cut-short.server'
import { log } from '#lib/ground/log.server'
import { reads } from '#lib/request/pipeline/endpoint.server'
import { open } from '#lib/request/pipeline/open.server'
import { apiListener } from '#lib/server/api-listener.server'
import { createRouter } from '#lib/server/router.server'
import { admin, basicOf, router } from '#lib/tools/testing/client'

/* A list whose query fails while the response is sent. */

const item = { links: [], id: 1, name: 'x'.repeat(10_000) }

async function* failing(after: number): AsyncGenerator<object[]> {
  for (let count = 0; count < after; count += 1) {
    yield [item]
    await new Promise(setImmediate)
  }
  throw new Error('connect ECONNREFUSED 10.0.0.1:5432')
}

const handler = (after: number) =>
  reads(async () => ({ links: [], totalSize: 100, collection: failing(after) }), {
    summary: 'A list',
    who: { anyOf: 'user' },
    answers: { as: 'datacenters' },
  })

const unsendable = open(async () => answerOf('text', { headers: { 'x-name': 'two\nlines' } }), {
  summary: 'An answer that HTTP cannot carry',
  answers: { as: 'text/plain' },
})

const routes = [
  ...[0, 1, 50].map((after) => ({ path: `/api/${after}`, handlers: { GET: handler(after) } })),
  { path: '/api/unsendable', handlers: { GET: unsendable } },
]
const server = createServer(apiListener(createRouter(routes))).on('connection', rememberConnection)
const errors = vi.spyOn(console, 'error').mockImplementation(() => {})

beforeAll(async () => {
  await router()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterAll(() => {
  server.close()
  errors.mockRestore()
})

test.each([0, 1, 50])(
  'a list that fails after %i chunks is cut short, without a hint at the reason',
  async (after) => {
    const { port } = server.address() as AddressInfo
    const read = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/${after}`, {
        headers: { authorization: basicOf(admin) },
      })
      const text = await answer.text()
      if (answer.ok) throw new Error(`a whole answer: ${text}`)
      return text
    }
    const outcome = await read().catch((error: Error) => error.message)
    expect(outcome).toMatch(/^(terminated|fetch failed|Error: The list broke off)$/)
    expect(JSON.stringify(errors.mock.calls)).not.toContain('10.0.0.1')
  },
)

test('an answer that cannot be sent is a bare 500, and a logged fault', async () => {
  const faults = vi.spyOn(log(), 'error')
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/api/unsendable`)
  expect([answer.status, await answer.text()]).toEqual([500, ''])
  expect(faults).toHaveBeenCalledTimes(1)
  faults.mockRestore()
})

test('a client that disconnects while the next chunk is read causes no logged fault', async () => {
  const faults = vi.spyOn(log(), 'error')
  const body = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) })
  const sent = cutShort(body, requestOfThisMachine())
  const reader = sent instanceof ReadableStream ? sent.getReader() : undefined
  void reader?.read()
  await new Promise(setImmediate)
  await reader?.cancel()
  await new Promise(setImmediate)
  expect(faults).not.toHaveBeenCalled()
})
