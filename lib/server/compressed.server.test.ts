import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compressedFiles } from '#lib/server/compressed.server'

const script = 'console.log("the same line")\n'.repeat(100)
let folder: string
let url: string

const server = createServer()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'test-compressed-'))
  mkdirSync(join(folder, 'chunks'))
  writeFileSync(join(folder, 'chunks/a.js'), script)
  writeFileSync(join(folder, 'chunks/a.js.br'), brotliCompressSync(script))
  writeFileSync(join(folder, 'chunks/plain.js'), script)
  const serve = compressedFiles(folder, '/static')
  server.on('request', (request, response) => {
    if (!serve(request, response)) response.end('not compressed')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/static/chunks`
})

afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

const get = (file: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${url}/${file}`, { method, headers: { 'accept-encoding': 'gzip, br', ...headers } })

test('a browser that takes Brotli gets the compressed file, to keep for ever', async () => {
  const answer = await get('a.js?x=1')
  expect(await answer.text()).toBe(script)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-encoding': 'br',
    'content-length': String(brotliCompressSync(script).length),
    'content-type': 'application/javascript; charset=UTF-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  })
  const head = await get('a.js', {}, 'HEAD')
  expect([head.headers.get('content-encoding'), await head.text()]).toEqual(['br', ''])
})

test.each([
  ['without Brotli', 'a.js', { 'accept-encoding': 'gzip' }],
  ['with Brotli refused', 'a.js', { 'accept-encoding': 'gzip, br;q=0.0' }],
  ['for a part', 'a.js', { range: 'bytes=0-9' }],
  ['for a file that is not compressed', 'plain.js', {}],
  ['for the compressed file itself', 'a.js.br', {}],
  ['for a file outside', '../../a.js', {}],
])('another request is left alone: %s', async (_, file, headers) => {
  expect(await (await get(file, headers)).text()).toBe('not compressed')
})
