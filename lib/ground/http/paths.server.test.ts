import { describe, expect, test } from 'vitest'
import { admin, call, codesOf, expectStatus, newUser, ORIGIN, unique } from '#lib/tools/testing/client'
import { cookiesOf, pairOf } from '#lib/tools/testing/session'

const missing = '/api/admin/scopes/999999999'

describe('paths and queries (docs/api/conventions.md, "Paths and targets")', () => {
  test.each(['/api/admin/scopes/1/', '/api//admin///scopes/1', '//api/admin/scopes//1//'])(
    '%s also leads to the global scope',
    async (path) => {
      expect(await expectStatus(200, call('GET', path))).toMatchObject({ id: 1, name: 'Global scope' })
    },
  )

  test('the last value of a repeated query key counts', async () => {
    const list = await expectStatus(200, call('GET', '/api/admin/scopes?limit=1&by=id&limit=2&by=name'))
    expect(list.links[0].href).toBe(`${ORIGIN}/api/admin/scopes?limit=2&by=name`)
  })

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    '%s of an unknown path is a coded 404, also without credentials (docs/api/responses.md, "Order of refusals")',
    async (method) => {
      const response = await call(method, '/api/nothing/here', { as: null })
      expect(response.status).toBe(404)
      expect(await codesOf(response)).toEqual(['404-NOT-FOUND'])
    },
  )

  test.each(['abc', '-1', '1.5', '1e3', '%31x', '99999999999999999999'])(
    'the id %s names no scope (docs/api/conventions.md, "Ids")',
    async (id) => {
      const response = await call('GET', `/api/admin/scopes/${id}`)
      expect(response.status).toBe(404)
      expect(await codesOf(response)).toEqual(['SCOPE-1'])
    },
  )

  test('the id 0 is refused with a code of its own (docs/api/conventions.md, "Ids")', async () => {
    const response = await call('GET', '/api/admin/scopes/0')
    expect(response.status).toBe(400)
    expect(await codesOf(response)).toEqual(['GEN-1'])
  })
})

describe('methods', () => {
  test('an unsupported method is 405 with the supported ones in Allow, also without credentials', async () => {
    const response = await call('POST', '/api/admin/scopes/1', { as: null })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')?.split(', ').sort()).toEqual([
      'DELETE',
      'GET',
      'HEAD',
      'OPTIONS',
      'PUT',
    ])
    expect(await codesOf(response)).toEqual(['405-METHOD-NOT-ALLOWED'])
  })

  test('an unknown method of an existing path is 405', async () => {
    expect((await call('PROPFIND', '/api/admin/scopes')).status).toBe(405)
    expect((await call('PATCH', '/api/admin/scopes/1', { body: {} })).status).toBe(405)
  })

  test('OPTIONS names the methods, also without credentials', async () => {
    const response = await call('OPTIONS', '/api/admin/scopes', { as: null })
    expect(response.status).toBe(204)
    expect(response.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS')
    expect(response.headers.get('x-request-id')).toBeTruthy()
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('HEAD has the headers of GET and no body', async () => {
    const [head, get] = [await call('HEAD', '/api/admin/scopes/1'), await call('GET', '/api/admin/scopes/1')]
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    for (const name of ['content-type', 'etag', 'cache-control'])
      expect(head.headers.get(name)).toBe(get.headers.get(name))
  })

  test('HEAD of a list has no body, also for a full export', async () => {
    for (const path of ['/api/admin/scopes', '/api/admin/scopes?limit=0']) {
      const response = await call('HEAD', path)
      expect([response.status, await response.text()]).toEqual([200, ''])
    }
  })

  test('HEAD gets the same refusals as GET', async () => {
    expect((await call('HEAD', missing)).status).toBe(404)
    expect((await call('HEAD', '/api/admin/scopes/1', { as: null })).status).toBe(401)
    expect((await call('HEAD', '/api/nothing')).status).toBe(404)
    expect((await call('HEAD', '/api/logout')).status).toBe(405)
  })
})

describe('X-Request-Id and Cache-Control', () => {
  const idOf = async (sent: string) =>
    (await call('GET', '/api/version', { headers: { 'x-request-id': sent } })).headers.get('x-request-id')

  test('a short, printable X-Request-Id of the client is returned', async () => {
    expect(await idOf('trace/4711-abc')).toBe('trace/4711-abc')
  })

  test.each(['x'.repeat(129), 'two words', 'caf\u00e9', ''])('the id %j is replaced', async (sent) => {
    const id = await idOf(sent)
    expect(id).not.toBe(sent)
    expect(id).toMatch(/^[\x21-\x7e]{8,128}$/)
  })

  test('every response has an X-Request-Id, with any status', async () => {
    const answers = await Promise.all([
      call('GET', '/api/admin/scopes/1'),
      call('GET', '/api/admin/scopes', { as: null }),
      call('GET', '/api/nothing'),
      call('POST', '/api/version'),
      call('POST', '/api/admin/scopes', { body: '{' }),
      call('GET', missing),
      call('GET', '/api/admin/scopes', { as: await newUser({ privileges: [] }) }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 405, 400, 404, 403])
    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    expect(ids.every(Boolean)).toBe(true)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('responses are not stored, except those with an ETag, which browsers revalidate', async () => {
    const cacheControl = async (method: string, path: string, as?: null) =>
      (await call(method, path, { as })).headers.get('cache-control')
    const cookie = pairOf(cookiesOf(await call('POST', '/api/session', { as: null, body: admin })).console)
    const inConsole = await call('GET', '/api/admin/scopes/1', { as: null, headers: { cookie } })
    expect(inConsole.headers.get('cache-control')).toBe('private, no-cache')
    // A response to a program has a token, which must not be stored.
    expect(await cacheControl('GET', '/api/admin/scopes/1')).toBe('no-store')
    for (const [method, path] of [
      ['GET', '/api/admin/scopes'],
      ['GET', '/api/version'],
      ['GET', missing],
      ['POST', '/api/logout'],
      ['POST', '/api/version'],
    ] as const) {
      expect(await cacheControl(method, path)).toBe('no-store')
    }
    expect(await cacheControl('GET', '/api/admin/scopes', null)).toBe('no-store')
  })
})

test('everybody can read the version, which has three numbers', async () => {
  const response = await call('GET', '/api/version', { as: null })
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
  expect(await response.text()).toMatch(/^\d+\.\d+\.\d+$/)
})

test('a created resource is 201 with its Location, which returns the same document', async () => {
  const response = await call('POST', '/api/admin/scopes', { body: { name: unique('Scope') } })
  const document = await expectStatus(201, response)
  const location = response.headers.get('location') ?? ''
  const edit = document.links.find(({ rel }: { rel: string }) => rel === 'edit')
  expect(edit).toMatchObject({
    href: location,
    type: 'application/vnd.service.scope+json',
    title: document.name,
  })
  expect(await expectStatus(200, call('GET', location))).toEqual(document)
  const removed = await call('DELETE', location)
  expect([removed.status, await removed.text(), removed.headers.get('content-type')]).toEqual([204, '', null])
  expect((await call('DELETE', location)).status).toBe(404)
})
