import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'
import { startDevServer } from './dev-server'
import { always } from './fixtures'

/* The route files are served by the front server and, in development, by Next: both must answer the same. */

const root = join(import.meta.dirname, '..')

let next: Awaited<ReturnType<typeof startDevServer>>

test.beforeAll(async () => {
  next = await startDevServer()
})

test.afterAll(() => next.stop())

const basic = { authorization: `Basic ${Buffer.from(`${adminNick}:${adminPassword}`).toString('base64')}` }

const requests: { path: string; method?: string; headers?: Record<string, string>; body?: string }[] = [
  { path: '/api/version' },
  { path: '/readyz' },
  { path: '/api/login' },
  { path: '/api/login', headers: basic },
  { path: '/api/nothing/here', headers: basic },
  {
    path: '/api/admin/scopes',
    headers: { ...basic, accept: 'application/vnd.service.scopes+xml; version=4.0;' },
  },
  { path: '/api/admin/scopes?limit=2&by=id&asc=false', headers: basic },
  { path: '/api/admin/scopes?limit=x', headers: basic },
  { path: '/api/admin/scopes/1', headers: { ...basic, accept: 'text/xml' } },
  { path: '/api/admin/scopes/1', headers: { ...basic, accept: 'image/png' } },
  { path: '/api/admin/scopes/abc', headers: basic },
  { path: '/api/admin/scopes/1', method: 'DELETE', headers: basic },
  {
    path: '/api/admin/scopes',
    method: 'POST',
    headers: { ...basic, 'content-type': 'application/json' },
    body: '{"name":""}',
  },
  { path: '/api/admin/datacenters/1/natnetworks/action/allips?has=100.64&limit=3', headers: basic },
  { path: '/api/admin/datacenters/1/natnetworks/action/allrules?snat=true&limit=0', headers: basic },
]

test('the build has the pages alone: no route file is in it, and nothing that routes import', {
  tag: always,
}, () => {
  const built = JSON.parse(readFileSync(join(root, '.next/server/app-paths-manifest.json'), 'utf8')) as object
  expect(Object.keys(built).sort()).toEqual(['/[[...path]]/page', '/_global-error/page', '/_not-found/page'])
  const files = globSync('.next/server/**/*.js', { cwd: root })
  expect(files.length).toBeGreaterThan(10)
  // Code that opens the database is part of the server only, and of no document.
  const withServer = files.filter((file) =>
    readFileSync(join(root, file), 'utf8').includes('pragma journal_mode'),
  )
  expect(withServer).toEqual([])
})

for (const { path, ...init } of requests) {
  const request = [init.method ?? 'GET', path, init.headers ? init.headers.accept : 'without credentials']
  test(`both servers give the same answer to ${request.filter(Boolean).join(' ')}`, async ({ baseURL }) => {
    const [front, other] = await Promise.all(
      [baseURL ?? '', next.url].map((origin) => answerOf(origin, path, init)),
    )
    expect(other).toEqual(front)
  })
}

async function answerOf(origin: string, path: string, init: RequestInit) {
  const response = await fetch(origin + path, init)
  const { status, headers } = response
  return {
    status,
    type: headers.get('content-type'),
    tagged: headers.has('etag'),
    challenge: headers.get('www-authenticate'),
    body: (await response.text()).replaceAll(origin, ''),
  }
}

test('each challenge has a header line of its own', async ({ baseURL }) => {
  const [response] = (await once(get(`${baseURL}/api/login`), 'response')) as [IncomingMessage]
  response.resume()
  expect(response.headersDistinct['www-authenticate']).toEqual([
    'Token realm="Service API"',
    'Basic realm="Service API"',
  ])
})
