import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { rememberConnection } from '#lib/ground/http/client-address.server'
import { apiListener } from '#lib/server/api-listener.server'
import { admin, basicOf, call, router } from '#lib/tools/testing/client'
import { addManyIps, networksPath, newDatacenter, newNetwork } from '#lib/tools/testing/nat'
import { isReadInPieces } from '#lib/tools/testing/open-cursors'

/** Far more than the buffers between a server and a client that does not read, which grow to some ten megabytes. */
const IPS = 60_000
/** Some pieces. */
const FEW = 5000

let path: string
let short: string

beforeAll(async () => {
  const { id: datacenter } = await newDatacenter()
  const few = await newNetwork({ datacenter, cidr: '10.1.0.0/16' })
  await addManyIps(few, FEW)
  short = `${networksPath(datacenter)}/${few.id}/ips?limit=0&all=true`
  await addManyIps(await newNetwork({ datacenter, cidr: '10.0.0.0/16' }), IPS)
  path = `${networksPath(datacenter)}/action/allips?limit=0`
}, 30_000)

describe.each([
  ['application/json', `"totalSize":${FEW}`],
  ['application/xml', `<totalSize>${FEW}</totalSize>`],
  ['text/csv', 'id,ip,network'],
])('a list that is asked for whole (limit=0), as %s', (accept, said) => {
  const headers = { accept }

  test('arrives in pieces, and completely', async () => {
    const response = await call('GET', short, { headers })
    expect(response.headers.get('content-length')).toBeNull()
    const whole = await response.text()
    expect(whole.split('10.1.').length - 1).toBeGreaterThanOrEqual(FEW)
    expect(whole).toContain(said)
    await vi.waitFor(async () => expect(await isReadInPieces()).toBe(false), 5000)
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
      // The text before the first item is sent before the first item is read.
      await vi.waitFor(async () => expect(await isReadInPieces()).toBe(true), 5000)
      request.destroy()
      await vi.waitFor(async () => expect(await isReadInPieces()).toBe(false), 5000)
    } finally {
      request.destroy()
      server.close()
    }
  })
})
