import { STATUS_CODES } from 'node:http'
import { describe, expect, test } from 'vitest'
import { ApiError, gather } from '#lib/ground/http/errors'
import { open } from '#lib/request/pipeline/open.server'
import { createRouter, type Router } from '#lib/server/router.server'
import { call, codesOf, expectStatus, newUser, ORIGIN, testRouter, unique } from '#lib/tools/testing/client'

const missing = '/api/admin/scopes/999999999'
const message = 'The requested scope does not exist'

const lengthOf = (text: string) => String(Buffer.byteLength(text))

describe('error documents (docs/api/errors.md, "Error documents")', () => {
  test.each([
    [undefined, 'application/vnd.service.errors+json'],
    ['*/*', 'application/vnd.service.errors+json'],
    ['application/*', 'application/vnd.service.errors+json'],
    ['application/json', 'application/json'],
    ['text/json', 'text/json'],
    ['application/vnd.service.scope+json; version=4.0;', 'application/vnd.service.errors+json'],
  ])('with Accept %s they are JSON', async (accept, type) => {
    const response = await call('GET', missing, { headers: accept ? { accept } : {} })
    expect([response.status, response.headers.get('content-type')]).toEqual([404, type])
    const text = await response.text()
    expect(JSON.parse(text)).toEqual({ links: [], collection: [{ code: 'SCOPE-1', message }] })
    expect(response.headers.get('content-length')).toBe(lengthOf(text))
  })

  test.each([
    ['application/xml', 'application/xml'],
    ['text/xml', 'text/xml'],
    ['application/vnd.service.scope+xml; version=4.0;', 'application/vnd.service.errors+xml'],
    ['application/json;q=0.5, application/xml', 'application/xml'],
  ])('with Accept %s they are XML', async (accept, type) => {
    const response = await call('GET', missing, { headers: { accept } })
    expect([response.status, response.headers.get('content-type')]).toEqual([404, type])
    const text = await response.text()
    expect(text).toBe(
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><errors><error><code>SCOPE-1</code><message>${message}</message></error></errors>`,
    )
    expect(response.headers.get('content-length')).toBe(lengthOf(text))
  })

  test('a 406 for unsupported types is itself JSON', async () => {
    const response = await call('GET', '/api/admin/scopes/1', { headers: { accept: 'image/png' } })
    expect(response.headers.get('content-type')).toBe('application/vnd.service.errors+json')
    expect(await codesOf(response)).toEqual(['406-NOT-ACCEPTABLE'])
  })

  test('quoted input in a message is escaped in XML', async () => {
    const body = { name: unique('Scope'), scopeEntities: [{ type: '<b>&', idResource: 1 }] }
    const response = await call('POST', '/api/admin/scopes', { body, headers: { accept: 'text/xml' } })
    expect(await response.text()).toContain('&lt;B&gt;&amp;')
  })
})

describe('problem documents (RFC 9457)', () => {
  const acceptsProblem = { accept: 'application/json, application/problem+json' }

  test('every error has this form for clients that accept it, also 401 and 403', async () => {
    const nobody = await newUser({ privileges: [] })
    for (const [status, response] of [
      [404, await call('GET', missing, { headers: acceptsProblem })],
      [401, await call('GET', missing, { as: null, headers: acceptsProblem })],
      [403, await call('GET', missing, { as: nobody, headers: acceptsProblem })],
      [405, await call('POST', '/api/version', { headers: acceptsProblem })],
      [404, await call('GET', '/api/nothing', { headers: acceptsProblem })],
    ] as const) {
      expect([response.status, response.headers.get('content-type')]).toEqual([
        status,
        'application/problem+json',
      ])
      const text = await response.text()
      expect(response.headers.get('content-length')).toBe(lengthOf(text))
      const problem = JSON.parse(text)
      expect(problem).toMatchObject({ type: 'about:blank', title: STATUS_CODES[status], status })
      expect(problem.requestId).toBe(response.headers.get('x-request-id'))
      expect(problem.errors).toEqual([{ code: problem.code, message: problem.detail }])
    }
  })

  test('a 401 in this form still has its challenge', async () => {
    const response = await call('GET', missing, { as: null, headers: acceptsProblem })
    expect(response.headers.get('www-authenticate')).toContain('Basic realm=')
  })

  test('a client that accepts nothing else gets 406 instead of a success (docs/api/errors.md, "Error documents")', async () => {
    const headers = { accept: 'application/problem+json' }
    const response = await call('GET', '/api/admin/scopes/1', { headers })
    expect(response.status).toBe(406)
    expect(await response.json()).toMatchObject({ status: 406, code: '406-NOT-ACCEPTABLE' })
    expect((await call('POST', '/api/logout', { headers })).status).toBe(204)
  })

  test('the type does not change successes, and is not used with q=0', async () => {
    const found = await call('GET', '/api/admin/scopes/1', { headers: acceptsProblem })
    expect([found.status, found.headers.get('content-type')]).toEqual([200, 'application/json'])
    const refused = await call('GET', missing, { headers: { accept: 'application/problem+json;q=0, */*' } })
    expect(refused.headers.get('content-type')).toBe('application/vnd.service.errors+json')
  })

  test('a problem document has all faults', async () => {
    const response = await call('POST', '/api/admin/scopes', {
      body: { name: '', id: 1 },
      headers: acceptsProblem,
    })
    const { errors, code } = (await response.json()) as { errors: { code: string }[]; code: string }
    expect(errors.map((each) => each.code)).toEqual(['GEN-11', 'CONSTR-LENGTH'])
    expect(code).toBe('GEN-11')
  })
})

describe('several faults (docs/api/errors.md, "Several faults")', () => {
  const post = (body: unknown) => call('POST', '/api/admin/scopes', { body })
  const parent = (id: number) => ({ rel: 'scopeParent', href: `/api/admin/scopes/${id}` })

  test('faults of fields and links are reported together, each with its property', async () => {
    const response = await post({
      id: 7,
      name: 5,
      automaticAddDatacenter: 'yes',
      scopeEntities: [{ type: 'ENTERPRISE' }],
      links: [{ rel: 'x' }, { href: '/y' }],
    })
    const { collection } = (await response.json()) as { collection: { code: string; message: string }[] }
    expect(response.status).toBe(400)
    expect(collection.map(({ code, message }) => `${code} ${message.split(':', 1)}`)).toEqual([
      'GEN-11 The id must not be sent when creating',
      'GEN-3 name',
      'GEN-3 automaticAddDatacenter',
      'CONSTR-NOTNULL scopeEntities.0.idResource',
      'LINK-1 A link has no href',
      'LINK-0 A link has no rel',
    ])
  })

  test('404 takes precedence over 400, and both faults are reported', async () => {
    const response = await post({ name: '', links: [parent(999999999)] })
    expect(response.status).toBe(404)
    expect((await codesOf(response)).sort()).toEqual(['CONSTR-LENGTH', 'SCOPE-1'])
  })

  test('403 takes precedence over 409', async () => {
    const limited = await expectStatus(201, post({ name: unique('Scope') }))
    const as = await newUser({ scopeId: limited.id })
    const body = { name: unique('Scope'), automaticAddEnterprise: true, links: [parent(limited.id)] }
    const response = await call('POST', '/api/admin/scopes', { as, body })
    expect(response.status).toBe(403)
    expect((await codesOf(response)).sort()).toEqual(['SCOPE-20', 'SCOPE-21'])
  })

  test('rules of state are checked only for a valid document', async () => {
    const { name } = await expectStatus(201, post({ name: unique('Scope') }))
    expect(await codesOf(post({ name, scopeEntities: [{ type: 'PLANET', idResource: 1 }] }))).toEqual([
      'SCOPE-7',
    ])
    const duplicate = await post({ name })
    expect([duplicate.status, await codesOf(duplicate)]).toEqual([409, ['SCOPE-0']])
  })

  test.each([
    [['SCOPE-0', 'GEN-3'], 400],
    [['SCOPE-0', 'GEN-3', 'SCOPE-1'], 404],
    [['SCOPE-0', 'GEN-3', 'SCOPE-1', 'SCOPE-21'], 403],
    [['GEN-13', 'SCOPE-21'], 500],
  ] as const)('%j have the status %d', async (codes, status) => {
    const failing = gather(...codes.map((code) => Promise.reject(new ApiError(code))))
    await expect(failing).rejects.toMatchObject({ status, faults: codes.map((code) => ({ code })) })
  })
})

describe('the kinds of faults (docs/api/errors.md, "Codes of faulty documents")', () => {
  test.each([
    ['a missing field', {}, 'CONSTR-NOTNULL'],
    ['a null field', { name: null }, 'CONSTR-NOTNULL'],
    ['an empty text', { name: '' }, 'CONSTR-LENGTH'],
    ['a text that is too long', { name: 'x'.repeat(129) }, 'CONSTR-LENGTH'],
    ['a number for a text', { name: 5 }, 'GEN-3'],
    ['a list for a text', { name: ['x'] }, 'GEN-3'],
    ['an object for a text', { name: {} }, 'GEN-3'],
    ['a control character', { name: 'a\u0001' }, 'CONSTR-PATTERN'],
  ])('%s', async (_what, body, code) => {
    const response = await call('POST', '/api/admin/datacenters', { body })
    expect(response.status).toBe(400)
    const { collection } = (await response.json()) as { collection: { code: string; message: string }[] }
    expect(collection).toEqual([{ code, message: expect.stringMatching(/^name: /), field: 'name' }])
  })

  test('length is counted in characters, not in UTF-16 code units', async () => {
    const name = `${unique('Place')}${'\u{1F30D}'.repeat(100)}`
    await expectStatus(201, call('POST', '/api/admin/datacenters', { body: { name } }))
  })
})

describe('an unexpected fault', () => {
  const said = { summary: 'Breaks', answers: { as: 'errors' } } as const
  const secret = 'select password_hash from users -- /srv/console/lib/db.ts'
  const fromHere = (router: Router, path: string, headers: Record<string, string> = {}) => {
    const request = new Request(ORIGIN + path, { headers })
    return testRouter(router).fetch(request)
  }
  const broken = createRouter([
    {
      path: '/api/broken',
      handlers: { GET: open(() => Promise.reject(new Error(secret)), said) },
    },
  ])
  const ask = (headers: Record<string, string> = {}) =>
    fromHere(broken, '/api/broken', { 'x-request-id': 'trace-1', ...headers })

  test.each([undefined, 'application/xml', 'application/problem+json', 'text/html'])(
    'is a GEN-13 that shows only the request id (Accept: %s)',
    async (accept) => {
      const response = await ask(accept ? { accept } : {})
      expect(response.status).toBe(500)
      const text = await response.text()
      expect(text).toContain('GEN-13')
      expect(text).toContain('trace-1')
      expect(text).not.toMatch(/select|password|srv|\.ts|Error:|\n\s+at /)
      expect([...response.headers.values()].join(' ')).not.toMatch(/select|srv/)
    },
  )

  test('has the headers of every response', async () => {
    const { headers } = await ask()
    expect(headers.get('x-request-id')).toBe('trace-1')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.has('x-powered-by')).toBe(false)
    expect(headers.has('access-control-allow-origin')).toBe(false)
  })

  test('an unreachable database is 503 with Retry-After', async () => {
    const away = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' })
    const handler = open(() => Promise.reject(away), said)
    const response = await fromHere(
      createRouter([{ path: '/api/away', handlers: { GET: handler } }]),
      '/api/away',
    )
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await response.text()).not.toContain('10.0.0.1')
  })
})
