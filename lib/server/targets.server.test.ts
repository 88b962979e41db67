import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFrontServer } from '#lib/server/front.server'
import { admin, basicOf, router } from '#lib/tools/testing/client'
import { end, getRaw, listen, type RawAnswer, sendRaw } from '#lib/tools/testing/raw'
import { swept } from '#lib/tools/testing/search'
import { withSettings } from '#lib/tools/testing/session'
import { misreading, spellingsOf } from '#lib/tools/testing/spellings'

/* How the front server reads targets (docs/api/conventions.md, "Paths and targets"): over raw connections, because client libraries tidy them. */

let port: number
let handed: string[] = []

const server = createFrontServer({
  router: await router(),
  servePage: ({ url = '', headers }, response) => {
    handed.push(url)
    response.end(`a page: ${url.split('?', 1)[0]} ${Object.keys(headers).sort()}`)
  },
  limits: { requests: 256, delay: 10_000 },
})

beforeAll(async () => {
  port = await listen(server)
})

afterAll(() => end(server))

const basic = { authorization: basicOf(admin) }
const get = (target: string, headers: Record<string, string> = {}) =>
  getRaw(port, target, { ...basic, ...headers })

/** Of the detours a fifth: the front server reads targets before it knows the path. */
const ways = (path: string) => spellingsOf(path, `127.0.0.1:${port}`, (detours) => swept(detours, 5))

/** The most requests at a time, because the machine of the tests has other work. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}

const statusAndType = ({ status, headers }: RawAnswer): string => `${status} ${headers.get('content-type')}`

describe('however a path is written', () => {
  test.each([
    '/api/login',
    '/api/admin/scopes/1',
    '/api/admin/scopes',
    '/api/nothing/here',
    '/oauth/request_token',
    '/healthz',
    '/metrics',
  ])('%s answers as in its plain form, or 400', { timeout: 60_000 }, async (path) => {
    const plain = await get(path)
    expect(plain.status).not.toBe(0)
    const wrong: string[] = []
    const spellings = ways(path)
    expect(spellings.length).toBeGreaterThan(250)
    handed = []
    await each(spellings, async (spelling) => {
      const found = misreading(spelling, plain, await get(spelling.target), statusAndType)
      if (found) wrong.push(found)
    })
    expect(wrong).toEqual([])
    // Next gets paths in one spelling only, and no path that another parser reads as one of the API.
    expect(
      handed.filter((url) => /^\/(api|oauth|healthz|readyz|metrics)(\/|$)|\/\/|\/\.\.?(\/|$)|\\/.test(url)),
    ).toEqual([])
  })

  test.each(['/scopes', '/_next/static/chunk.js', '/users/7/edit'])(
    'Next is given the page or asset %s in one spelling',
    { timeout: 60_000 },
    async (path) => {
      const plain = await get(path)
      expect([plain.status, plain.body]).toEqual([200, expect.stringContaining(`a page: ${path} `)])
      const wrong: string[] = []
      const spellings = ways(path).filter(({ means }) => means !== 'other')
      await each(spellings, async (spelling) => {
        const found = misreading(spelling, plain, await get(spelling.target))
        if (found) wrong.push(found)
      })
      expect(wrong).toEqual([])
    },
  )
})

test('the address of this server is BASE_URL, too', async () => {
  await withSettings({ BASE_URL: 'https://console.example' }, async () => {
    expect((await get('https://console.example/api/version')).status).toBe(200)
    expect((await get('https://console.example')).status).toBe(200)
    expect((await get('https://console.example:444/api/version')).status).toBe(400)
    expect((await get('https://elsewhere.example/api/version')).status).toBe(400)
    // A Host that repeats the foreign site proves nothing; one of this machine does.
    const byHost = async (host: string) => (await get(`http://${host}/api/version`, { host })).status
    expect(await byHost('elsewhere.example')).toBe(400)
    expect(await byHost(`127.0.0.1:${port}`)).toBe(200)
    expect(await byHost('console.example')).toBe(200)
  })
  expect((await get('http://elsewhere.example/api/version', { host: 'elsewhere.example' })).status).toBe(200)
})

test.each([
  ['two of them', 'host: one.test\r\nhost: two.test'],
  ['the same one twice', 'host: one.test\r\nHOST: one.test'],
  ['none', 'x-host: one.test'],
  ['an empty one', 'host:'],
  ['a list', 'host: one.test, two.test'],
  ['one with a path', 'host: one.test/api'],
  ['one with a user', 'host: admin@one.test'],
  ['a number that is an address to some', 'host: 0x7f.1'],
  ['an address with a part too many', 'host: 1.2.3.4.5'],
  ['one with a port that is none', 'host: one.test:http'],
  ['one with an escape', 'host: one%2etest'],
])('Host: %s is 400, whether the API or a page is asked for', async (_, lines) => {
  for (const path of ['/api/version', '/scopes']) {
    const answer = await sendRaw(port, `GET ${path} HTTP/1.1\r\n${lines}\r\nconnection: close\r\n\r\n`)
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('400-BAD-REQUEST')])
    expect(answer.headers.get('x-request-id')).toMatch(/./)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  }
})

test.each(['one.test:', '[::1]:', 'ONE.test:80', 'one.test:080'])(
  'Host: %s is sound, whether the API or a page is asked for',
  async (host) => {
    for (const path of ['/api/version', '/scopes'])
      expect((await getRaw(port, path, { host })).status).toBe(200)
  },
)

test('HTTP/1.0 has no Host and needs none', async () => {
  expect((await sendRaw(port, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200)
  expect((await sendRaw(port, 'GET /api/version HTTP/1.0\r\n\r\n')).status).toBe(200)
})

test.each(['OPTIONS *', 'OPTIONS other.test', 'CONNECT other.test:443', 'GET *', 'NONSENSE /', 'GET'])(
  '%s is 400',
  async (line) => {
    const answer = await sendRaw(port, `${line} HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n`)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('x-request-id')).toMatch(/./)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  },
)

test('a 400 has the requested form, an id, and the headers of every answer', async () => {
  const refused = async (accept: string) => {
    const { status, headers, body } = await get('/x/../api/login', { accept, 'x-request-id': 'mine' })
    expect([status, headers.get('x-request-id'), headers.get('cache-control')]).toEqual([
      400,
      'mine',
      'no-store',
    ])
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    return [headers.get('content-type'), body]
  }
  const code = expect.stringContaining('400-BAD-REQUEST')
  expect(await refused('*/*')).toEqual(['application/vnd.service.errors+json', code])
  expect(await refused('application/xml')).toEqual(['application/xml', code])
  expect(await refused('application/problem+json')).toEqual(['application/problem+json', code])
  expect(await refused('text/html,application/xhtml+xml,*/*;q=0.8')).toEqual([
    'text/html; charset=utf-8',
    expect.stringContaining('<h1>400</h1>'),
  ])
})

describe('the requests to Next', () => {
  test('a page has a policy with a nonce; an asset is data, which runs nothing when it is opened', async () => {
    const policyOf = async (path: string) => (await get(path)).headers.get('content-security-policy')
    expect(await policyOf('/scopes')).toMatch(/script-src 'self' 'nonce-/)
    expect(await policyOf('/favicon.svg')).toMatch(/script-src 'self' 'nonce-/)
    expect(await policyOf('/_next/static/chunk.js')).toBe(
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    )
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'no %s of a page or an asset: 405',
    async (method) => {
      for (const path of ['/', '/scopes', '/_next/static/chunk.js', '/favicon.svg']) {
        handed = []
        const answer = await sendRaw(
          port,
          `${method} ${path} HTTP/1.1\r\nhost: h\r\ncontent-length: 0\r\nnext-action: x\r\nconnection: close\r\n\r\n`,
        )
        expect([answer.status, answer.headers.get('allow'), handed]).toEqual([405, 'GET, HEAD', []])
      }
    },
  )

  test.each([
    '/_next/image?url=%2Ffavicon.svg&w=16&q=1',
    '/_next/image',
    '/_next/data/build/scopes.json',
    '/_next/webpack-hmr',
    '/_next/mcp',
    '/_next/',
    '/_next/%73tatics',
  ])('nothing of its own but static files: %s is 404', async (path) => {
    handed = []
    expect([(await get(path)).status, handed]).toEqual([404, []])
  })

  test('no header except those that a page depends on', async () => {
    const orders = {
      ...{ rsc: '1', 'next-router-state-tree': '[', 'next-url': '/x', 'next-router-prefetch': '1' },
      ...{
        'x-middleware-subrequest': 'x',
        'x-middleware-rewrite': '/x',
        'x-nextjs-data': '1',
        'x-matched-path': '/x',
      },
      ...{
        'x-invoke-path': '/x',
        'x-forwarded-host': 'evil.test',
        'x-now-route-matches': '1=x',
        purpose: 'prefetch',
      },
      ...{ 'content-security-policy': "script-src 'nonce-mine'", accept: 'text/html' },
    }
    const { body } = await get('/scopes', orders)
    expect(body).toBe('a page: /scopes accept,content-security-policy,host')
  })
})
