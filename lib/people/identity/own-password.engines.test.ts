import { describe, expect, test } from 'vitest'
import { call, codesOf, expectStatus, newUser, type User } from '#lib/tools/testing/client'
import { newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { changeUser, cookiesOf, pairOf } from '#lib/tools/testing/session'

const NEW_PASSWORD = 'quite another password'

const login = async (as: User) => (await call('GET', '/api/login', { as })).status

describe('a user’s own password', () => {
  const change = (as: User, body: object, headers = {}) =>
    call('PUT', '/api/session/password', { as, body, headers })

  test('is changed with the old one; the current console session continues, the others end', () =>
    withMailbox(async (mailbox) => {
      const email = newAddress()
      const user = await newUser({ email, privileges: [] })
      const signIn = () =>
        call('POST', '/api/session', { as: null, body: { nick: user.nick, password: user.password } })
      const [one, two] = [
        pairOf(cookiesOf(await signIn()).console),
        pairOf(cookiesOf(await signIn()).console),
      ]
      const headers = { cookie: two }
      const body = { oldPassword: user.password, password: NEW_PASSWORD }
      const answer = await call('PUT', '/api/session/password', { as: null, headers, body })
      expect([answer.status, answer.headers.get('x-service-token')]).toEqual([204, null])
      const isOpen = async (cookie: string) =>
        (await call('GET', '/api/login', { as: null, headers: { cookie } })).status === 200
      expect([await isOpen(one), await isOpen(two)]).toEqual([false, false])
      expect(await isOpen(pairOf(cookiesOf(answer).console))).toBe(true)
      expect(await login({ ...user, password: NEW_PASSWORD })).toBe(200)
      expect((await mailbox.of(email)).at(-1)?.subject).toBe('Your password was changed')
    }))

  test('is not changed without the old one, with a wrong one, or to one that is too short or the nick', async () => {
    const user = await newUser({ privileges: [] })
    const attempts = [
      [{ password: NEW_PASSWORD }, ['CONSTR-NOTNULL']],
      [{ oldPassword: user.password, password: 'short' }, ['CONSTR-LENGTH']],
      [{ oldPassword: user.password, password: user.password }, ['CONSTR-PATTERN']],
      [{ oldPassword: 'wrong', password: NEW_PASSWORD }, ['SIGN-IN-3']],
    ] as const
    for (const [body, codes] of attempts) expect(await codesOf(change(user, body))).toEqual(codes)
    await changeUser(user, { nick: `${user.nick}-and-more` })
    const longer = { ...user, nick: `${user.nick}-and-more` }
    const nick = { oldPassword: user.password, password: longer.nick }
    expect(await codesOf(change(longer, nick))).toEqual(['CONSTR-PATTERN'])
    expect(await login(longer)).toBe(200)
  })

  test('must be changed in the console before anything else if an administrator chose it; programs continue', async () => {
    const user = await newUser({ privileges: ['USERS_MANAGE_SCOPES'] })
    const self = await expectStatus(200, call('GET', `/api/admin/enterprises/_/users/${user.id}`))
    const withTheirs = { ...user, password: 'chosen by somebody else' }
    await expectStatus(
      200,
      call('PUT', self.links[0].href, { body: { ...self, password: withTheirs.password } }),
    )
    const body = { nick: user.nick, password: withTheirs.password }
    const signed = await call('POST', '/api/session', { as: null, body })
    expect(await expectStatus(200, signed)).toMatchObject({ mustChangePassword: true })
    const session = { as: null, headers: { cookie: pairOf(cookiesOf(signed).console) } }
    const refused = await call('GET', '/api/admin/scopes', session)
    expect([refused.status, await codesOf(refused)]).toEqual([403, ['SIGN-IN-5']])
    expect((await call('GET', '/api/admin/scopes', { as: withTheirs })).status).toBe(200)
    const next = { oldPassword: withTheirs.password, password: NEW_PASSWORD }
    const changed = await call('PUT', '/api/session/password', { ...session, body: next })
    expect(changed.status).toBe(204)
    const headers = { cookie: pairOf(cookiesOf(changed).console) }
    expect((await call('GET', '/api/admin/scopes', { as: null, headers })).status).toBe(200)
    expect(await expectStatus(200, call('GET', '/api/session', { as: null, headers }))).toMatchObject({
      mustChangePassword: false,
    })
  })
})
