import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { admin, basicOf, call, expectStatus, newEnterprise, newUser, unique } from '#lib/tools/testing/client'
import { accessToken, authorizationOf, register } from '#lib/tools/testing/oauth'
import { tokenIn } from '#lib/tools/testing/oauth-client'
import { create, ownPath, type Resource, resources } from '#lib/tools/testing/resources'
import { newScope, scopePath } from '#lib/tools/testing/scopes'

/* The behaviour that existing clients rely on, point by point (docs/api/existing-clients.md, "Existing clients"). */

/** SHA-1 of an empty body. */
const EMPTY_BODY_HASH = '2jmj7l5rSw0yVb/vlWAYkK/YBwk='

let all: Resource[]

beforeAll(async () => {
  all = await resources()
})

const SCOPES = '/api/admin/scopes'
const get = (path: string, headers: Record<string, string> = {}) => call('GET', path, { headers })

describe('1: Accept with any version parameter', () => {
  test.each(['', ';version=4.0;', '; version=4.0;', ' ;version=4.0', '; version=4.0 ; '])(
    'the parameters %j are tolerated, and the Content-Type works as the next Accept',
    async (parameters) => {
      for (const syntax of ['json', 'xml']) {
        const type = `application/vnd.service.scopes+${syntax}`
        const first = await get(SCOPES, { accept: type + parameters })
        expect([first.status, first.headers.get('content-type')]).toEqual([200, type])
        const next = await get(SCOPES, { accept: first.headers.get('content-type') ?? '' })
        expect([next.status, next.headers.get('content-type')]).toEqual([200, type])
      }
    },
  )
})

test('2: a response with a body always has a Content-Type; link types have no parameters', async () => {
  for (const { name, list, body } of all) {
    const answers = [
      await call('POST', list, { body: await body() }),
      await get(`${list}?limit=3`),
      await get(`${list}/0`),
    ]
    for (const answer of answers) {
      expect(answer.headers.get('content-type')).toMatch(/^application\/vnd\.service\.\w+\+json$/)
      const types = [...(await answer.text()).matchAll(/"type":"(application[^"]*)"/g)].map(
        ([, type]) => type,
      )
      for (const type of types)
        expect([name, type]).toEqual([name, expect.stringMatching(/^application\/vnd\.service\.\w+\+json$/)])
    }
  }
})

test('3: 201 with Location and a link to itself; GET exactly 200, PUT 200, DELETE 204', async () => {
  for (const { name, list, body } of all) {
    const made = await call('POST', list, { body: await body() })
    expect([name, made.status]).toEqual([name, 201])
    const document = await made.json()
    const own = document.links.find(({ rel }: { rel: string }) => rel === 'edit' || rel === 'self')
    expect(own).toMatchObject({
      href: made.headers.get('location'),
      type: `application/vnd.service.${name}+json`,
    })
    const path = ownPath(document)
    expect([name, (await get(path)).status]).toEqual([name, 200])
    expect([name, (await call('PUT', path, { body: document })).status]).toEqual([name, 200])
    const gone = await call('DELETE', path)
    expect([name, gone.status, await gone.text()]).toEqual([name, 204, ''])
    expect([name, (await get(path)).status]).toEqual([name, 404])
  }
})

test('4: clients follow next until it is missing, and append their own query, so that keys are repeated', async () => {
  const mark = unique('Followed')
  for (const word of ['a', 'b', 'c', 'd', 'e']) await newScope({ name: `${mark} ${word}` })
  const own = `limit=2&has=${encodeURIComponent(mark)}`
  const names: string[] = []
  let path: string | undefined = `${SCOPES}?${own}`
  for (let turns = 0; path && turns < 5; turns += 1) {
    const page = await expectStatus(200, get(path))
    names.push(...page.collection.map(({ name }: { name: string }) => name.at(-1)))
    const next = page.links.find(({ rel }: { rel: string }) => rel === 'next')
    path = next && `${next.href}&${own}`
  }
  expect(names.join('')).toBe('abcde')
})

test('5: the first link of every list has a query', async () => {
  for (const { list } of all) {
    const { links } = await expectStatus(200, get(list))
    const first = links.find(({ rel }: { rel: string }) => rel === 'first')
    expect(first.href).toMatch(/\?.*limit=25/)
  }
})

describe('6: any JSON error has collection[0].code and .message, and Content-Length', () => {
  const json = { 'content-type': 'application/json' }
  test.each<[number, () => Promise<Response>]>([
    [400, () => call('POST', SCOPES, { body: '{', headers: json })],
    [400, () => get(`${SCOPES}?limit=x`)],
    [
      403,
      async () =>
        call('POST', SCOPES, { as: await limited(), body: { name: 'n', automaticAddEnterprise: true } }),
    ],
    [404, () => get(`${SCOPES}/999999999`)],
    [404, () => get('/api/no/such/path')],
    [405, () => call('PUT', SCOPES, { body: {} })],
    [406, () => get(SCOPES, { accept: 'application/vnd.service.users+json' })],
    [409, () => call('DELETE', scopePath(1))],
    [412, () => call('DELETE', scopePath(1), { headers: { 'if-match': '"stale"' } })],
    [413, () => call('POST', SCOPES, { body: `"${'x'.repeat(1024 * 1024)}"`, headers: json })],
    [415, () => call('POST', SCOPES, { body: 'name=x', headers: { 'content-type': 'text/plain' } })],
  ])('%i', async (status, ask) => {
    const answer = await ask()
    const text = await answer.text()
    expect([answer.status, answer.headers.get('content-length')]).toEqual([
      status,
      String(Buffer.byteLength(text)),
    ])
    const [first] = JSON.parse(text).collection
    expect(first).toMatchObject({
      code: expect.stringMatching(/^[\w-]+$/),
      message: expect.stringMatching(/./),
    })
  })

  const limited = async () => newUser({ scopeId: (await newScope()).id })
})

describe('7: a document that is sent back', () => {
  test('with unknown keys and all links changes nothing', async () => {
    for (const { name, list, body } of all) {
      const made = await create(list, await body())
      const path = ownPath(made)
      const before = await expectStatus(200, get(path))
      const links = [...before.links, { rel: 'unknown', href: 'https://elsewhere.example/x', hreflang: 'en' }]
      const sent = { ...before, links, unknown: { deep: [1, { er: null }] }, twoFactorProvider: 'x' }
      expect([name, await expectStatus(200, call('PUT', path, { body: sent }))]).toEqual([name, before])
    }
  })

  test('may lack the id and the edit link', async () => {
    for (const { name, list, body } of all) {
      const path = ownPath(await create(list, await body()))
      const { id: _id, links, ...before } = await expectStatus(200, get(path))
      const others = links.filter(({ rel }: { rel: string }) => rel !== 'edit' && rel !== 'self')
      const after = await expectStatus(200, call('PUT', path, { body: { ...before, links: others } }))
      expect([name, after]).toMatchObject([name, before])
    }
  })
})

describe('8: unexpected bodies and types', () => {
  test.each([
    ['null', 'application/json'],
    ['null', '*/*'],
    ['', 'text/plain'],
    ['anything', 'application/vnd.service.nonsense+xml'],
  ])('an action ignores the body %j of type %j', async (body, type) => {
    const as = await newUser()
    const headers = { 'content-type': type }
    expect((await call('POST', '/api/logout', { as, body, headers })).status).toBe(204)
  })

  test.each<Record<string, string>>([{}, { accept: 'text/json' }, { 'content-type': '*/*' }])(
    'DELETE with %j is 204',
    async (headers) => {
      const { id } = await newScope()
      expect((await call('DELETE', scopePath(id), { headers, body: 'null' })).status).toBe(204)
    },
  )
})

describe('9: OAuth signatures of existing clients', () => {
  test('have percent-encoded keys, no default port and a body hash; the verifier is the text after oauth_verifier= in the Location', async () => {
    const user = await newUser({ privileges: ['USERS_MANAGE_SCOPES'] })
    const application = await register(user)
    const path = '/oauth/request_token'
    const data = { oauth_callback: 'https://client.example/back?a=1', oauth_body_hash: EMPTY_BODY_HASH }
    const header = authorizationOf(application, 'POST', path, { data })
    const authorization = header.replaceAll('oauth_', 'oauth%5F')
    const token = tokenIn(
      await expectStatus(200, call('POST', path, { as: null, headers: { authorization } })),
    )
    const approved = await call('GET', `/oauth/authorize?oauth_token=${token.key}`, { as: user })
    expect(approved.status).toBe(302)
    const verifier = (approved.headers.get('location') ?? '').split('oauth_verifier=')[1] ?? ''
    expect(verifier).toMatch(/^\w{8}$/)
    const access = tokenIn(await expectStatus(200, accessToken(application, token, verifier)))

    const body = JSON.stringify({ name: unique('Signed scope'), links: [] })
    const hash = { oauth_body_hash: createHash('sha1').update(body).digest('base64') }
    const signed = authorizationOf(application, 'POST', '/api/admin/scopes', { token: access, data: hash })
    await expectStatus(
      201,
      call('POST', '/api/admin/scopes', { as: null, headers: { authorization: signed }, body }),
    )
  })
})

test('10: clients sign in with GET /login, then follow the links enterprise and applications', async () => {
  const user = await newUser({ privileges: [] })
  const application = await register(user)
  const self = await expectStatus(200, call('GET', '/api/login', { as: user }))
  const follow = (rel: string) => {
    const { href, type } = self.links.find((link: { rel: string }) => link.rel === rel)
    return expectStatus(200, call('GET', href, { as: user, headers: { accept: type } }))
  }
  expect(await follow('enterprise')).toMatchObject({ id: user.enterpriseId })
  expect(await follow('applications')).toMatchObject({ collection: [{ id: application.id }] })
})

test('11: clients find resources in the full list by name or by the title of a link', async () => {
  const { id, name } = await newEnterprise()
  const { collection, totalSize } = await expectStatus(200, get('/api/admin/enterprises?limit=0'))
  expect(collection).toHaveLength(totalSize)
  const found = collection.find((enterprise: { name: string }) => enterprise.name === name)
  expect(found.links.find(({ title }: { title?: string }) => title === name).href).toMatch(
    new RegExp(`/${id}$`),
  )
})

test('12: clients cut the Set-Cookie that starts with auth= at the first semicolon, and send only that', async () => {
  const answer = await get('/api/login', { authorization: basicOf(admin) })
  const cookie = answer.headers.getSetCookie().find((text) => text.startsWith('auth=')) ?? ''
  const headers = { cookie: cookie.slice(0, cookie.indexOf(';')) }
  expect(await expectStatus(200, call('GET', '/api/login', { as: null, headers }))).toMatchObject({
    nick: admin.nick,
  })
  const body = { name: unique('By cookie') }
  await expectStatus(201, call('POST', SCOPES, { as: null, headers, body }))
})
