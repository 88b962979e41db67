import { describe, expect, test } from 'vitest'
import { call, expectStatus, newEnterprise, newUser, type User } from '#lib/tools/testing/client'
import {
  createdUser,
  enterpriseLink,
  eventsOf,
  newRole,
  PASSWORD,
  putUser,
  readUser,
  relinked,
  roleLink,
  scopeLink,
  usersOf,
} from '#lib/tools/testing/identity'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'
import { changeUser, rowOf, tokenOf } from '#lib/tools/testing/session'

const NEW_PASSWORD = 'quite another password'

const signIn = async (as: User) => (await call('GET', '/api/login', { as })).status

describe('a user without privileges (docs/api/authorization.md, "Own user")', () => {
  test('can change their own name, surname, e-mail, locale and description, and send back unchanged fields', async () => {
    const as = await newUser({ privileges: [], scopeId: (await newScope()).id })
    const self = await readUser(as.id, as)
    const change = { name: 'N', surname: 'S', email: 'n@example.com', locale: 'es_ES', description: 'D' }
    expect(await expectStatus(200, putUser(self, change, as))).toEqual({ ...self, ...change })
    const bare = relinked(self, 'scope')
    expect(await expectStatus(200, putUser(self, { links: bare }, as))).toEqual(self)
  })

  test('GEN-15: cannot change any other field of their own', async () => {
    const as = await newUser({ privileges: [] })
    const tags = ['contractor']
    const self = await expectStatus(200, putUser(await readUser(as.id), { tags }))
    const { id } = await newEnterprise()
    for (const change of [
      { nick: 'another' },
      { active: false },
      { locked: true },
      { allowedCIDRs: ['127.0.0.0/8'] },
      { tags: ['vip'] },
      { tags: [] },
      { links: relinked(self, 'role', roleLink(await newRole())) },
      { links: [...self.links, scopeLink(1)] },
    ])
      expect(await refusal(putUser(self, change, as))).toEqual([403, 'GEN-15'])
    const moved = relinked(self, 'enterprise', enterpriseLink(id))
    await expectStatus(403, putUser(self, { links: moved }, as))
    expect(await readUser(as.id, as)).toEqual(self)
  })

  test('cannot change other users', async () => {
    const as = await newUser({ privileges: [] })
    const other = await createdUser(as.enterpriseId, { role: await newRole() })
    await expectStatus(403, putUser(other, { name: 'X' }, as))
    await expectStatus(403, putUser({ id: 999999999 }, {}, as))
    const path = `${usersOf('_')}/${other.id}`
    await expectStatus(403, call('PUT', path, { as, body: '{', headers: { accept: 'image/png' } }))
  })
})

describe('a user’s own password', () => {
  test('is changed with the old one, which ends all tokens and clears firstLogin', async () => {
    const as = await newUser({ privileges: [] })
    await changeUser(as, { first_login: 1 })
    const response = await call('GET', '/api/login', { as })
    const authorization = `Token ${tokenOf(response)}`
    const self = await expectStatus(200, response)
    expect(self.firstLogin).toBe(true)
    const change = { password: NEW_PASSWORD, oldPassword: as.password }
    const changed = await expectStatus(200, putUser(self, change, as))
    expect(changed).toEqual({ ...self, firstLogin: false })
    expect(await signIn(as)).toBe(401)
    expect(await signIn({ ...as, password: NEW_PASSWORD })).toBe(200)
    expect((await call('GET', '/api/login', { as: null, headers: { authorization } })).status).toBe(401)
    const event = (await eventsOf('user', as.id)).at(-1)
    expect(event.changes).toEqual({
      firstLogin: { before: 'true', after: 'false' },
      password: { after: 'changed' },
    })
    expect(JSON.stringify(event)).not.toMatch(/argon2|quite another/)
  })

  test('can be changed by a token, which ends; the response has a new one', async () => {
    const as = await newUser({ privileges: [] })
    const response = await call('GET', '/api/login', { as })
    const headers = { authorization: `Token ${tokenOf(response)}` }
    const self = await expectStatus(200, response)
    const body = { ...self, password: NEW_PASSWORD, oldPassword: as.password }
    const answer = await call('PUT', self.links[0].href, { as: null, headers, body })
    expect(answer.status).toBe(200)
    expect((await call('GET', '/api/login', { as: null, headers })).status).toBe(401)
    const next = { authorization: `Token ${tokenOf(answer)}` }
    expect((await call('GET', '/api/login', { as: null, headers: next })).status).toBe(200)
  })

  test.each([[[]], [['USERS_MANAGE_USERS'] as const]])(
    'GEN-15: is not changed without the old one or with a wrong one, with the privileges %j',
    async (privileges) => {
      const as = await newUser({ privileges })
      const self = await readUser(as.id, as)
      for (const proof of [{}, { oldPassword: 'wrong' }, { oldPassword: '' }, { oldPassword: NEW_PASSWORD }])
        expect(await refusal(putUser(self, { password: NEW_PASSWORD, ...proof }, as))).toEqual([
          403,
          'GEN-15',
        ])
      expect(await signIn(as)).toBe(200)
    },
  )

  test('stays if the document has no password, even with a wrong old one', async () => {
    const as = await newUser({ privileges: [] })
    const { password_hash: before } = await rowOf(as)
    await expectStatus(200, putUser(await readUser(as.id, as), { oldPassword: 'wrong' }, as))
    expect((await rowOf(as)).password_hash).toBe(before)
  })

  test('CONSTR-LENGTH, CONSTR-PATTERN: has at least 12 characters and differs from the nick', async () => {
    const as = await newUser({ privileges: [], nick: 'a-nick-as-long-as-a-password' })
    const self = await readUser(as.id, as)
    const oldPassword = as.password
    const short = await putUser(self, { password: 'x'.repeat(11), oldPassword }, as)
    const { collection } = await expectStatus(400, short)
    expect(collection).toEqual([
      {
        code: 'CONSTR-LENGTH',
        message: 'password: must have 12 to 1024 characters',
        field: 'password',
      },
    ])
    expect(await refusal(putUser(self, { password: '', oldPassword }, as))).toEqual([400, 'CONSTR-LENGTH'])
    expect(await refusal(putUser(self, { password: as.nick.toUpperCase(), oldPassword }, as))).toEqual([
      400,
      'CONSTR-PATTERN',
    ])
  })

  test('is stored as argon2id', async () => {
    const { nick } = await createdUser((await newEnterprise()).id, { role: await newRole() })
    expect((await rowOf({ nick, password: '' })).password_hash).toMatch(/^\$argon2id\$/)
  })
})

test('an administrator changes another user’s password without the old one; all tokens of that user end', async () => {
  const user = await createdUser((await newEnterprise()).id, { role: await newRole() })
  const as = { nick: user.nick, password: PASSWORD }
  const authorization = `Token ${tokenOf(await call('GET', '/api/login', { as }))}`
  expect(await expectStatus(200, putUser(user, { password: NEW_PASSWORD }))).toEqual(user)
  expect(await signIn(as)).toBe(401)
  expect(await signIn({ ...as, password: NEW_PASSWORD })).toBe(200)
  expect((await call('GET', '/api/login', { as: null, headers: { authorization } })).status).toBe(401)
  expect((await eventsOf('user', user.id)).at(-1).changes).toEqual({ password: { after: 'changed' } })
})
