import { createGunzip, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { call } from '#lib/tools/testing/client'
import { addIps, networksPath, newDatacenter, newNetwork } from '#lib/tools/testing/nat'
import { isReadInPieces } from '#lib/tools/testing/open-cursors'

let list: string
let short: string

beforeAll(async () => {
  const { id: datacenter } = await newDatacenter()
  const few = await newNetwork({ datacenter, cidr: '10.1.0.0/16' })
  await addIps(few, { count: 3000 })
  short = `${networksPath(datacenter)}/${few.id}/ips`
  await addIps(await newNetwork({ datacenter, cidr: '10.0.0.0/16' }), { count: 20_000 })
  list = `${networksPath(datacenter)}/action/allips`
}, 30_000)

const ask = (path: string, encoding: string | undefined, accept = '*/*', method = 'GET') =>
  call(method, path, { headers: { accept, ...(encoding !== undefined && { 'accept-encoding': encoding }) } })

const unpacked = async (response: Response): Promise<string> =>
  gunzipSync(Buffer.from(await response.arrayBuffer())).toString()

describe('a full export (docs/api/responses.md, "Compression")', () => {
  test.each(['application/json', 'application/xml', 'text/csv'])(
    'is compressed if the client accepts gzip, with the same content, as %s',
    async (accept) => {
      const [plain, packed] = [
        await ask(`${short}?limit=0`, undefined, accept),
        await ask(`${short}?limit=0`, 'gzip', accept),
      ]
      expect([plain, packed].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip'])
      expect([plain, packed].map(({ headers }) => headers.get('vary'))).toEqual(
        Array(2).fill('Accept-Encoding'),
      )
      expect(await unpacked(packed)).toBe(await plain.text())
    },
  )

  test.each([
    ['gzip, deflate, br', true],
    ['deflate;q=0.5, GZIP ; q=0.1', true],
    ['x-gzip', true],
    ['*', true],
    ['gzip;q=0', false],
    ['gzip;q=0.0, *', false],
    ['*;q=0', false],
    ['identity', false],
    ['br', false],
    ['', false],
  ])('with Accept-Encoding %j is compressed: %j', async (encoding, isPacked) => {
    const response = await ask(`${list}?limit=0`, encoding)
    expect(response.headers.get('content-encoding')).toBe(isPacked ? 'gzip' : null)
    await response.body?.cancel()
  })

  test('is streamed: the client can read the first items while the query still runs', async () => {
    const body = (await ask(`${list}?limit=0`, 'gzip')).body
    const reader = body?.getReader()
    const gunzip = createGunzip()
    let text = ''
    gunzip.on('data', (piece: Buffer) => {
      text += piece.toString()
    })
    while (!text.includes('"ip":"10.0.0.1"')) {
      const piece = await reader?.read()
      expect(piece?.done).toBe(false)
      await new Promise((resolve) => gunzip.write(piece?.value, resolve))
    }
    expect(text).not.toContain('"totalSize"')
    expect(await isReadInPieces()).toBe(true)
    await reader?.cancel()
    await vi.waitFor(async () => expect(await isReadInPieces()).toBe(false), 5000)
    gunzip.destroy()
  })

  test('has the same headers in response to HEAD', async () => {
    const response = await ask(`${list}?limit=0`, 'gzip', '*/*', 'HEAD')
    expect([response.status, response.headers.get('content-encoding'), await response.text()]).toEqual([
      200,
      'gzip',
      '',
    ])
    await vi.waitFor(async () => expect(await isReadInPieces()).toBe(false), 5000)
  })
})

test('pages, single resources and refusals are never compressed', async () => {
  for (const path of [list, `${list}?limit=999`, '/api/admin/scopes/1', '/api/version', '/api/nothing']) {
    const { headers } = await ask(path, 'gzip')
    expect([path, headers.get('content-encoding'), headers.get('vary')]).toEqual([path, null, null])
  }
})

test('a CSV file is compressed, also for one page', async () => {
  expect((await ask(`${list}?format=csv`, 'gzip')).headers.get('content-encoding')).toBe('gzip')
})
