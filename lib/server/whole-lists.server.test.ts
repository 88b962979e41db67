import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { rememberConnection } from '#lib/http/client-address.server'
import { apiListener } from '#lib/server/api-listener.server'
import { admin, basicOf, call, router } from '#lib/testing/client'
import { addIps, networksPath, newDatacenter, newNetwork } from '#lib/testing/nat'
import { isReadInPieces } from '#lib/testing/open-cursors'
import { ownDatabase } from '#lib/testing/own-database'

/** Far more than the buffers between a server and a client that does not read: those grow to some ten megabytes. */
const IPS = 60_000

let path: string

beforeAll(async () => {
  const { id: datacenter } = await newDatacenter()
  await addIps(await newNetwork({ datacenter, cidr: '10.0.0.0/16' }), { count: IPS })
  path = `${networksPath(datacenter)}/action/allips?limit=0`
}, 30_000)

describe.each([
  ['application/json', `"totalSize":${IPS}`],
  ['application/xml', `<totalSize>${IPS}</totalSize>`],
  ['text/csv', 'id,ip,network'],
])('a list that is asked for whole (limit=0), as %s', (accept, said) => {
  const headers = { accept }

  test('comes in pieces, and all of it', async () => {
    const response = await call('GET', path, { headers })
    expect(response.headers.get('content-length')).toBeNull()
    const whole = await response.text()
    expect(whole.split('10.0.').length - 1).toBeGreaterThanOrEqual(IPS)
    expect(whole).toContain(said)
    expect(await isReadInPieces()).toBe(false)
  })

  test('is read no further when its reader cancels', async () => {
    const reader = (await call('GET', path, { headers })).body?.getReader()
    await reader?.read()
    await reader?.read()
    expect(await isReadInPieces()).toBe(true)
    await reader?.cancel()
    await vi.waitFor(async () => expect(await isReadInPieces()).toBe(false), 5000)
  })

  test('is read no further when its client disconnects', async () => {
    const server = createServer(apiListener(await router()))
      .on('connection', rememberConnection)
      .listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const request = get({ port, path, headers: { ...headers, authorization: basicOf(admin) } })
    const [answer] = await once(request, 'response')
    try {
      await once(answer, 'data')
      answer.pause()
      // What comes before the first item is sent before the first item is read.
      await vi.waitFor(async () => expect(await isReadInPieces()).toBe(true), 5000)
      request.destroy()
      await vi.waitFor(async () => expect(await isReadInPieces()).toBe(false), 5000)
    } finally {
      request.destroy()
      server.close()
    }
  })
})

test('the memory of a whole list is bounded: 80,000 items go through a heap that holds a fraction of them', {
  timeout: 180_000,
}, async () => {
  const { DATA_DIR, DATABASE_URL = '' } = await ownDatabase()
  const run = async (...words: string[]): Promise<string> => {
    const child = spawn(process.execPath, words, {
      env: { ...process.env, DATA_DIR, DATABASE_URL },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')])
    expect(child.exitCode).toBe(0)
    return printed
  }
  const list = await run('lib/testing/whole-list.ts', 'make', '80000')
  const printed = await run('--max-old-space-size=100', 'lib/testing/whole-list.ts', 'read', list)
  const bytes = JSON.parse(printed) as Record<string, number>
  expect(bytes['application/json']).toBeGreaterThan(60_000_000)
  expect(bytes['application/xml']).toBeGreaterThan(60_000_000)
  expect(bytes['text/csv']).toBeGreaterThan(4_000_000)
})
