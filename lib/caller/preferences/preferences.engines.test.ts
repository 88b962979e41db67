import { describe, expect, test } from 'vitest'
import { call, expectStatus, newUser, ORIGIN, type User } from '#lib/tools/testing/client'
import { usersOf } from '#lib/tools/testing/identity'
import { refusal } from '#lib/tools/testing/refusal'
import { changeUser, cookiesOf, pairOf } from '#lib/tools/testing/session'

const PATH = '/api/session/preferences'

const read = async (as: User) => (await expectStatus(200, call('GET', PATH, { as }))).properties

const put = (as: User, properties: unknown) => call('PUT', PATH, { as, body: { properties } })

const xml = { accept: 'application/xml', 'content-type': 'application/xml' }

describe('the preferences of a user', () => {
  test('are empty at first, and have an address and an ETag', async () => {
    const as = await newUser({ privileges: [] })
    const response = await call('GET', PATH, { as })
    expect(response.headers.get('content-type')).toContain('application/vnd.service.preferences+json')
    expect(response.headers.get('etag')).toMatch(/^"[\w-]+"$/)
    const type = 'application/vnd.service.preferences+json'
    expect(await expectStatus(200, response)).toEqual({
      links: [{ rel: 'edit', href: ORIGIN + PATH, type }],
      properties: {},
    })
  })

  test('are set by name, and those that are not named stay', async () => {
    const as = await newUser({ privileges: [] })
    await expectStatus(200, put(as, { 'table:users': '{"size":50}', language: 'es' }))
    const { properties } = await expectStatus(200, put(as, { language: 'en', 'a-1:b': ' <&"\n ' }))
    const all = { 'a-1:b': ' <&"\n ', language: 'en', 'table:users': '{"size":50}' }
    expect(properties).toEqual(all)
    expect(await read(as)).toEqual(all)
    await expectStatus(200, call('PUT', PATH, { as, body: {} }))
    expect(await read(as)).toEqual(all)
  })

  test('are removed by an empty value', async () => {
    const as = await newUser({ privileges: [] })
    await expectStatus(200, put(as, { one: '1', two: '2' }))
    await expectStatus(200, put(as, { one: '', never: '' }))
    expect(await read(as)).toEqual({ two: '2' })
  })

  test('are there in XML, written and read', async () => {
    const as = await newUser({ privileges: [] })
    const entry = (key: string, value: string) =>
      `<properties><entry><key>${key}</key><value>${value}</value></entry></properties>`
    const body = `<preferences>${entry('density', 'a &lt; b')}</preferences>`
    const written = await expectStatus(200, call('PUT', PATH, { as, body, headers: xml }))
    expect(written).toMatch(/<preferences><link rel="edit" .*<\/preferences>$/)
    expect(written).toContain(entry('density', 'a &lt; b'))
    expect(await expectStatus(200, call('GET', PATH, { as, headers: { accept: xml.accept } }))).toBe(written)
    expect(await read(as)).toEqual({ density: 'a < b' })
    const removing = `<preferences>${entry('density', '')}</preferences>`
    await expectStatus(200, call('PUT', PATH, { as, body: removing, headers: xml }))
    expect(await read(as)).toEqual({})
  })

  test('are seen and changed only by their user', async () => {
    const [one, other] = [await newUser({ privileges: [] }), await newUser()]
    await expectStatus(200, put(one, { language: 'es' }))
    await expectStatus(200, put(other, { language: 'en', more: 'x' }))
    await expectStatus(200, put(other, { language: '' }))
    expect(await read(one)).toEqual({ language: 'es' })
    expect(await read(other)).toEqual({ more: 'x' })
  })

  test('leave no event', async () => {
    const as = await newUser({ privileges: [] })
    await expectStatus(200, put(as, { language: 'es' }))
    const { collection } = await expectStatus(200, call('GET', `/api/events?user=${as.id}`))
    expect(collection.filter(({ action }: { action: string }) => action !== 'sign-in')).toEqual([])
  })

  test('go with the user', async () => {
    const as = await newUser({ privileges: [] })
    await expectStatus(200, put(as, { language: 'es' }))
    await expectStatus(204, call('DELETE', `${usersOf('_')}/${as.id}`))
  })

  test('are open in the console too, and before a password must be changed', async () => {
    const as = await newUser({ privileges: [] })
    await changeUser(as, { first_login: 1 })
    const { nick, password } = as
    const session = await call('POST', '/api/session', { as: null, body: { nick, password } })
    const headers = { cookie: pairOf(cookiesOf(session).console), origin: ORIGIN }
    const body = { properties: { language: 'es' } }
    const changed = await expectStatus(200, call('PUT', PATH, { as: null, headers, body }))
    expect(changed.properties).toEqual({ language: 'es' })
    expect(await expectStatus(200, call('GET', PATH, { as: null, headers }))).toEqual(changed)
  })
})

describe('preferences are refused', () => {
  test('CONSTR-PATTERN: malformed names are all reported at once', async () => {
    const as = await newUser({ privileges: [] })
    for (const name of ['', 'Table', 'a b', 'a_b', 'é', 'x'.repeat(65)])
      expect([name, await refusal(put(as, { [name]: 'x' }))]).toEqual([name, [400, 'CONSTR-PATTERN']])
    expect(await refusal(put(as, { A: 'x', B: 'x', right: 'x' }))).toEqual([
      400,
      'CONSTR-PATTERN',
      'CONSTR-PATTERN',
    ])
    expect(await read(as)).toEqual({})
    await expectStatus(200, put(as, { ['x'.repeat(64)]: 'x' }))
  })

  test('CONSTR-LENGTH, CONSTR-NOTNULL, GEN-3: by values that are no texts of 8 KiB at most', async () => {
    const as = await newUser({ privileges: [] })
    await expectStatus(200, put(as, { long: 'x'.repeat(8192) }))
    expect(await refusal(put(as, { long: 'x'.repeat(8193) }))).toEqual([400, 'CONSTR-LENGTH'])
    expect(await refusal(put(as, { long: 'é'.repeat(4097) }))).toEqual([400, 'CONSTR-LENGTH'])
    expect(await refusal(put(as, { a: 'x\u0000' }))).toEqual([400, 'CONSTR-PATTERN'])
    expect(await refusal(put(as, { a: null }))).toEqual([400, 'CONSTR-NOTNULL'])
    expect(await refusal(put(as, { a: 1 }))).toEqual([400, 'GEN-3'])
    expect(await refusal(put(as, ['a']))).toEqual([400, 'GEN-3'])
  })

  test('CONSTR-MAX: beyond 200 of one user, sent at once or one after the other', async () => {
    const as = await newUser({ privileges: [] })
    const some = (from: number, count: number, value = 'x') =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`name-${from + index}`, value]))
    expect(await refusal(put(as, some(0, 201)))).toEqual([400, 'CONSTR-MAX'])
    await expectStatus(200, put(as, some(0, 200)))
    expect(await refusal(put(as, { more: 'x' }))).toEqual([400, 'CONSTR-MAX'])
    expect(Object.keys(await read(as))).toHaveLength(200)
    await expectStatus(200, put(as, { more: 'x', 'name-0': '' }))
    await expectStatus(200, put(as, some(1, 100, 'changed')))
    expect(await read(as)).toMatchObject({ more: 'x', 'name-1': 'changed', 'name-101': 'x' })
  })

  test('412: where If-Match names another state', async () => {
    const as = await newUser({ privileges: [] })
    const tag = (await call('GET', PATH, { as })).headers.get('etag') ?? ''
    const change = (value: string) =>
      call('PUT', PATH, { as, body: { properties: { value } }, headers: { 'if-match': tag } })
    await expectStatus(200, change('one'))
    expect(await refusal(change('two'))).toEqual([412, '412-PRECONDITION-FAILED'])
    expect(await read(as)).toEqual({ value: 'one' })
  })

  test('401: without credentials', async () => {
    expect((await call('GET', PATH, { as: null })).status).toBe(401)
    expect((await call('PUT', PATH, { as: null, body: {} })).status).toBe(401)
  })
})
