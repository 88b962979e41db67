import { describe, expect, test } from 'vitest'
import { hashPassword } from '#lib/caller/auth/passwords.server'
import { transaction } from '#lib/db/db.server'
import { admin, basicOf, call, newUser, type User, unique } from '#lib/tools/testing/client'
import { withoutHashes } from '#lib/tools/testing/hashes'
import { changeUser, rowOf } from '#lib/tools/testing/session'

const login = (user: User) => call('GET', '/api/login', { as: user })
const loginBy = (authorization: string) => call('GET', '/api/login', { as: null, headers: { authorization } })

/** All parts of a response that an attacker could learn from. */
const seen = async (response: Response) => {
  const headers = Object.fromEntries(response.headers)
  delete headers['x-request-id']
  delete headers.date
  return { status: response.status, headers, text: await response.text() }
}

describe('Basic (docs/api/authentication.md, "Basic")', () => {
  test('nick and password are accepted by the API', async () => {
    const user = await newUser()
    const response = await login(user)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ id: user.id, nick: user.nick })
  })

  test.each([
    ['beyond ASCII', 'j\u00fcrgen \u00f8', '\u043f\u0430\u0440\u043e\u043b\u044c \u{1F511} \u00e9'],
    ['with colons in the password', 'colon', ':a:b::c:'],
    ['with spaces around the password', 'spaced', '  twelve spaces  '],
  ])('%s too', async (_what, word, password) => {
    const user = { nick: unique(word), password }
    await newUser({ nick: user.nick })
    await changeUser(user, { password_hash: await hashPassword(password) })
    expect((await login(user)).status).toBe(200)
    expect((await login({ ...user, password: password.trim().slice(1) })).status).toBe(401)
  })

  test('the word Basic may be written in any case', async () => {
    expect((await loginBy(basicOf(admin).replace('Basic', 'bASIC'))).status).toBe(200)
  })

  test.each([
    ['nothing', 'Basic'],
    ['no base64', 'Basic !!!'],
    ['no colon', `Basic ${Buffer.from('admin').toString('base64')}`],
    ['an empty nick', basicOf({ nick: '', password: 'x' })],
    ['an empty password', basicOf({ nick: 'admin', password: '' })],
    ['the character 0', basicOf({ nick: 'ad\u0000min', password: 'x\u0000' })],
    ['bytes that are no UTF-8', `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0xff]).toString('base64')}`],
    ['another case of the nick', basicOf({ ...admin, nick: 'ADMIN' })],
    ['a very long password', basicOf({ nick: 'admin', password: 'x'.repeat(5000) })],
  ])('%s is 401 with the challenge of Basic alone', async (_what, authorization) => {
    const response = await loginBy(authorization)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="Service API"')
  })

  test('a wrong password, an unknown nick, a locked and an inactive user get the same answer', async () => {
    const [user, locked, inactive] = [await newUser(), await newUser(), await newUser()]
    await changeUser(locked, { locked: 1 })
    await changeUser(inactive, { active: 0 })
    const wrong = await seen(await login({ ...user, password: 'a wrong password' }))
    expect(wrong.status).toBe(401)
    for (const other of [{ nick: unique('nobody'), password: user.password }, locked, inactive])
      expect(await seen(await login(other))).toEqual(wrong)
  })

  test('an unknown nick is hashed like a wrong password', async () => {
    const { nick } = await newUser()
    const statuses = await withoutHashes(async () => [
      (await login({ nick, password: 'wrong' })).status,
      (await login({ nick: unique('nobody'), password: 'wrong' })).status,
    ])
    expect(statuses).toEqual([503, 503])
  })
})

describe('a repeated Basic request', () => {
  const REPEATS = 20

  test('does not hash the password each time', async () => {
    const user = await newUser()
    await login(user)
    const answers = await withoutHashes(() => Promise.all(Array.from({ length: REPEATS }, () => login(user))))
    expect(answers.map(({ status }) => status)).toEqual(Array(REPEATS).fill(200))
  })

  test('is refused at once after the password was changed', async () => {
    const user = await newUser()
    expect((await login(user)).status).toBe(200)
    await changeUser(user, { password_hash: await hashPassword('another long password') })
    expect((await login(user)).status).toBe(401)
    expect((await login({ ...user, password: 'another long password' })).status).toBe(200)
  })

  test.each([
    ['locked', { locked: 1 }, { locked: 0 }],
    ['disabled', { active: 0 }, { active: 1 }],
  ] as const)(
    'is refused at once after the user was %s, and served again afterwards',
    async (_what, off, on) => {
      const user = await newUser()
      expect((await login(user)).status).toBe(200)
      await changeUser(user, off)
      expect((await login(user)).status).toBe(401)
      await changeUser(user, on)
      expect((await login(user)).status).toBe(200)
    },
  )

  test('loses a removed privilege at once', async () => {
    const user = await newUser({ privileges: ['USERS_MANAGE_SCOPES'] })
    expect((await call('GET', '/api/admin/scopes', { as: user })).status).toBe(200)
    const { role_id } = await rowOf(user)
    await transaction((trx) => trx.deleteFrom('role_privileges').where('role_id', '=', role_id).execute())
    expect((await call('GET', '/api/admin/scopes', { as: user })).status).toBe(403)
  })

  test('fifty correct ones at once are all served', async () => {
    const user = await newUser()
    const answers = await Promise.all(Array.from({ length: 50 }, () => login(user)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
  })
})
