import { expect, test } from 'playwright/test'
import { type OwnServer, startServer } from '#lib/tools/testing/own-server'
import { getRaw, type RawAnswer, sendRaw } from '#lib/tools/testing/raw'
import { swept } from '#lib/tools/testing/search'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'
import { misreading, spellingsOf } from '#lib/tools/testing/spellings'
import { always } from './fixtures'

/* The front server with the built console behind it: the same cases as its own tests, with Next instead of a simple page. */

const basic = { authorization: `Basic ${Buffer.from(`${adminNick}:${adminPassword}`).toString('base64')}` }

let server: OwnServer
let port: number

test.beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'info' })
  port = Number(new URL(server.url).port)
})

test.afterAll(() => server.stop())

const get = (target: string, headers: Record<string, string> = {}) =>
  getRaw(port, target, { ...basic, ...headers })

const statusAndType = ({ status, headers }: RawAnswer): string => `${status} ${headers.get('content-type')}`

const paths = ['/api/login', '/api/admin/scopes/1', '/healthz', '/metrics', '/favicon.svg']
/** One of them runs in `npm test`, another one each day; those of the front server alone, lib/server/targets, write paths in each way. */
const inTurns = swept(paths)

for (const path of paths) {
  const tag = inTurns.includes(path) ? always : []
  test(`however ${path} is written, it answers as in its plain form, or 400`, { tag }, async () => {
    const plain = await get(path)
    expect(plain.status).toBe(200)
    const wrong: string[] = []
    const queue = spellingsOf(path, `127.0.0.1:${port}`, (detours) => swept(detours, 5)).values()
    const work = async () => {
      for (const spelling of queue) {
        const found = misreading(spelling, plain, await get(spelling.target), statusAndType)
        if (found) wrong.push(found)
      }
    }
    await Promise.all(Array.from({ length: 8 }, work))
    expect(wrong).toEqual([])
  })
}

test('a page protects itself', { tag: always }, async () => {
  const { status, headers, body } = await get('/scopes', { accept: 'text/html' })
  expect([status, body]).toEqual([200, expect.stringContaining('<html')])
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(headers.get('permissions-policy')).toContain('camera=()')
})

for (const upgrade of ['h2c', 'websocket'])
  test(`an offer of ${upgrade} still gets the first page`, { tag: always }, async () => {
    expect((await get('/scopes')).status).toBe(200)
    const head = `host: h\r\nconnection: upgrade, http2-settings, close\r\nhttp2-settings: AAEAAEAAAAIAAAAB\r\nupgrade: ${upgrade}`
    expect((await sendRaw(port, `GET /api/version HTTP/1.1\r\n${head}\r\n\r\n`)).status).toBe(200)
    expect((await sendRaw(port, `GET /scopes HTTP/1.1\r\n${head}\r\n\r\n`)).status).toBe(200)
  })

const FORGED = '{"level":30,"msg":"forged"}'
const breaks = ['%0a', '%0d%0a', '%0d', '%e2%80%a8', '%c2%85', '%250a']

test("no client begins a line of the log: every line is the logger's", async () => {
  for (const text of breaks.map((end) => end + encodeURIComponent(FORGED))) {
    for (const path of [
      '/',
      '/scopes/',
      '/api/',
      '/api/admin/scopes/',
      '/oauth/',
      '/_next/',
      '/_next/static/',
    ])
      await get(path + text)
    for (const path of ['/_next/image', '/scopes', '/api/admin/scopes', '/api/openapi.json'])
      await get(`${path}?url=${text}&w=16&q=1&has=${text}&by=${text}&x${text}`)
  }
  const values = [FORGED, '%0a', '\t', '[', '1', '../..', '"', 'a,b']
  const names = [
    'rsc',
    'next-router-state-tree',
    'next-url',
    'next-action',
    'x-request-id',
    'cookie',
    'range',
  ]
  for (const value of values)
    for (const name of [
      ...names,
      'accept-encoding',
      'if-none-match',
      'user-agent',
      'traceparent',
      'authorization',
    ])
      for (const path of ['/scopes', '/_next/static/nothing.js', '/api/login'])
        await get(path, { [name]: value })
  for (const line of [
    'GET',
    'POST / HTTP/1.1\r\nhost: h\r\nnext-action: x\r\ncontent-length: 5',
    'NONE / HTTP/9',
  ])
    await sendRaw(port, `${line}\r\nconnection: close\r\n\r\nhello`)
  const start = server.lines.findIndex((line) => line.startsWith('Console and API: '))
  const lines = server.lines.slice(start + 1)
  expect(lines.length).toBeGreaterThan(50)
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), time: expect.any(String) })
  expect(lines.filter((line) => line.startsWith('{"level":30,"msg":"forged"'))).toEqual([])
})

test('there is no image service', { tag: always }, async () => {
  expect((await get('/_next/image?url=%2Ffavicon.svg&w=16&q=75')).status).toBe(404)
})
