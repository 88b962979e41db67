import { describe, expect, test } from 'vitest'
import { call, codesOf, expectStatus, newUser, unique } from '#lib/tools/testing/client'
import { withSettings } from '#lib/tools/testing/session'

const json = 'application/vnd.service.scope+json'
const xml = 'application/vnd.service.scope+xml'
const missing = '/api/admin/scopes/999999999'

const typeFor = async (accept: string | undefined, path = '/api/admin/scopes/1') => {
  const response = await call('GET', path, { headers: accept === undefined ? {} : { accept } })
  return response.status === 200 ? response.headers.get('content-type') : response.status
}

describe('Accept (docs/api/conventions.md, "Media types")', () => {
  test.each([
    [undefined, json],
    ['', json],
    ['*/*', json],
    ['application/*', json],
    [json, json],
    [xml, xml],
    ['application/json', 'application/json'],
    ['application/xml', 'application/xml'],
    ['text/json', 'text/json'],
    ['text/xml', 'text/xml'],
  ])('%j gets %s, the matching type', async (accept, expected) => {
    expect(await typeFor(accept)).toBe(expected)
  })

  test.each([
    [`${xml}; version=4.0;`, xml],
    [`${xml};version=4.0; charset=UTF-8`, xml],
    [`${json};`, json],
    [` ; ;${xml} ; `, xml],
    [`  ${xml}  ;; version=4.0 ;`, xml],
    ['APPLICATION/XML', 'application/xml'],
    ['application/json,', 'application/json'],
    [', , text/xml', 'text/xml'],
  ])('parameters, stray semicolons and spaces are tolerated: %j', async (accept, expected) => {
    expect(await typeFor(accept)).toBe(expected)
  })

  test.each([
    ['application/json;q=0.2, application/xml;q=0.8', 'application/xml'],
    ['application/json;q=0.8, application/xml;q=0.2', 'application/json'],
    ['application/xml;q=0.5, */*;q=0.1', 'application/xml'],
    ['text/html, application/xml;q=0.9, */*;q=0.8', 'application/xml'],
    [`${xml}; version=4.0; q=0.9, application/json; q=0.95`, 'application/json'],
    ['application/xml, application/json', 'application/xml'],
    [`${json};q=0, application/*`, xml],
    ['text/html, */*;q=0.01', json],
    ['application/json; q = 0.1, text/xml', 'text/xml'],
  ])('q-values decide: %s gives %s', async (accept, expected) => {
    expect(await typeFor(accept)).toBe(expected)
  })

  test.each([
    'text/html',
    'image/png, text/plain',
    'application/vnd.service.scopes+json',
    'application/vnd.service.datacenter+xml',
    'application/vnd.other.scope+json',
    'application/json;q=0',
    '*/*;q=0',
    'application/problem+json',
  ])('%s is 406', async (accept) => {
    expect(await typeFor(accept)).toBe(406)
  })

  test('a list has its own type', async () => {
    const list = '/api/admin/scopes'
    expect(await typeFor(undefined, list)).toBe('application/vnd.service.scopes+json')
    expect(await typeFor('application/vnd.service.scopes+xml', list)).toBe(
      'application/vnd.service.scopes+xml',
    )
    expect(await typeFor(json, list)).toBe(406)
  })

  test('the vendor name in types and headers is a setting', async () => {
    await withSettings({ VENDOR: 'acme' }, async () => {
      const response = await call('GET', '/api/admin/scopes/1', {
        headers: { accept: 'application/vnd.acme.scope+xml' },
      })
      expect(response.headers.get('content-type')).toBe('application/vnd.acme.scope+xml')
      expect(response.headers.get('x-acme-token')).toBeTruthy()
      expect(await response.text()).toContain('type="application/vnd.acme.scope+xml"')
      expect(await typeFor(json)).toBe(406)
    })
  })

  test('an operation without a response body ignores Accept', async () => {
    const { id } = await expectStatus(
      201,
      call('POST', '/api/admin/scopes', { body: { name: unique('Scope') } }),
    )
    expect(
      (await call('DELETE', `/api/admin/scopes/${id}`, { headers: { accept: 'text/json' } })).status,
    ).toBe(204)
    expect((await call('POST', '/api/logout', { headers: { accept: 'image/png' } })).status).toBe(204)
  })
})

describe('Content-Type of a body', () => {
  const post = (type: string, body: string) =>
    call('POST', '/api/admin/scopes', { body, headers: { 'content-type': type } })
  const asJson = () => JSON.stringify({ name: unique('Scope') })
  const asXml = () => `<scope><name>${unique('Scope')}</name></scope>`

  test.each([
    json,
    'application/json',
    'text/json',
    `${json}; version=4.0;`,
    'Application/JSON;charset=utf-8',
    `${json} ;`,
  ])('%s is read as JSON', async (type) => {
    await expectStatus(201, post(type, asJson()))
  })

  test.each([xml, 'application/xml', 'text/xml', `${xml}; version=4.0;`, 'text/xml; charset=UTF-8'])(
    '%s is read as XML',
    async (type) => {
      await expectStatus(201, post(type, asXml()))
    },
  )

  test.each([
    '',
    'text/plain',
    'null',
    '*/*',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    'application/vnd.service.datacenter+json',
    'application/vnd.service.scopes+xml',
  ])('%j is 415', async (type) => {
    const response = await post(type, asJson())
    expect(response.status).toBe(415)
    expect(await codesOf(response)).toEqual(['415-UNSUPPORTED-MEDIA-TYPE'])
  })

  test.each(['null', '*/*', 'text/plain', 'application/json'])(
    'an operation that takes no body ignores one of type %s',
    async (type) => {
      const options = { body: 'null {"<', headers: { 'content-type': type } }
      const { id } = await expectStatus(201, post('application/json', asJson()))
      expect((await call('DELETE', `/api/admin/scopes/${id}`, options)).status).toBe(204)
      expect((await call('POST', '/api/logout', options)).status).toBe(204)
    },
  )
})

describe('the order of refusals (docs/api/responses.md, "Order of refusals")', () => {
  const tooLarge = `{"name":"${'x'.repeat(1024 * 1024)}"}`
  const put = (headers: Record<string, string>, body: string, path = missing, as?: null) =>
    call('PUT', path, { headers, body, as })

  test.each([
    ['404 of the path before 405', () => call('PROPFIND', '/api/nowhere', { as: null }), 404],
    ['405 before 401', () => call('POST', '/api/admin/scopes/1', { as: null }), 405],
    ['401 before 406', () => put({ accept: 'text/html' }, '', missing, null), 401],
    ['406 before 413', () => put({ accept: 'text/html' }, tooLarge), 406],
    ['413 before 415', () => put({ 'content-type': 'text/plain' }, tooLarge), 413],
    ['415 before an unreadable body', () => put({ 'content-type': 'text/plain' }, '{'), 415],
    ['an unreadable body before 404 of the resource', () => put({}, '{'), 400],
    ['404 of the resource before faults of fields', () => put({}, '{}'), 404],
    ['404 of the resource before If-Match', () => put({ 'if-match': '"old"' }, '{}'), 404],
    ['412 before faults of fields', () => put({ 'if-match': '"old"' }, '{}', '/api/admin/scopes/1'), 412],
    ['faults of fields before rules of state', () => put({}, '{}', '/api/admin/scopes/1'), 400],
  ])('%s', async (_what, ask, status) => {
    expect((await ask()).status).toBe(status)
  })

  test('403 for a missing privilege before all later refusals', async () => {
    const as = await newUser({ privileges: ['VDC_ENUMERATE'] })
    for (const path of ['/api/admin/scopes/1', missing, '/api/admin/scopes/abc', '/api/admin/scopes/0']) {
      const response = await call('PUT', path, { as, headers: { accept: 'text/html' }, body: '{' })
      expect(response.status).toBe(403)
    }
  })

  test('404 of the path before a bad query parameter', async () => {
    const response = await call('GET', '/api/admin/datacenters/999999999/natnetworks?limit=x')
    expect(response.status).toBe(404)
    expect(await codesOf(response)).toEqual(['DC-0'])
  })

  test('a write with an unacceptable response type changes nothing', async () => {
    const name = unique('Scope')
    const response = await call('POST', '/api/admin/scopes', {
      body: { name },
      headers: { accept: 'text/html' },
    })
    expect(response.status).toBe(406)
    const { totalSize } = await expectStatus(
      200,
      call('GET', `/api/admin/scopes?has=${encodeURIComponent(name)}`),
    )
    expect(totalSize).toBe(0)
  })
})
