import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Privilege } from '#lib/caller/auth/privileges'
import { call, codesOf, expectStatus, newUser, type User } from '#lib/tools/testing/client'
import { newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { changeUser } from '#lib/tools/testing/session'

const HOUR = 3_600_000
const manages: Privilege[] = ['USERS_MANAGE_USERS', 'USERS_VIEW']

afterEach(() => {
  vi.useRealTimers()
})

const ask = ({ nick, password }: Pick<User, 'nick' | 'password'>) =>
  call('POST', '/api/session/twofactorreset', { as: null, body: { nick, password } })

/** A user with two factor, and an administrator of the enterprise. */
async function newEnrolled() {
  const user = await newUser({ privileges: ['USERS_VIEW'], email: newAddress() })
  const { enterpriseId } = user
  const path = `/api/admin/enterprises/${enterpriseId}/users/${user.id}`
  const body = { type: 'APP_AUTHENTICATOR' }
  await expectStatus(201, call('POST', `${path}/action/enable2fa`, { as: user, body }))
  const helper = { email: newAddress() }
  const one = await newUser({ privileges: manages, enterpriseId, ...helper })
  return { user, path, enterpriseId, one: { ...one, ...helper } }
}

const asked = async (id: number) => {
  const query = `entity=user&entityid=${id}&action=ask-2fa-reset`
  return (await expectStatus(200, call('GET', `/api/events?${query}`))).collection
}

describe('a request for a reset of two factor (docs/api/two-factor.md, "Two factor authentication")', () => {
  test('mails those administrators of the enterprise who may reset, and leaves an event', () =>
    withMailbox(async (mailbox) => {
      const { user, enterpriseId, one } = await newEnrolled()
      const [weak, disabled] = [newAddress(), newAddress()]
      // They manage users, but hold less than this one.
      await newUser({ privileges: ['USERS_MANAGE_USERS'], enterpriseId, email: weak })
      const gone = await newUser({ privileges: manages, enterpriseId, email: disabled })
      await changeUser(gone, { active: 0 })
      expect((await ask(user)).status).toBe(204)
      const [mail, ...others] = await mailbox.of(one.email)
      expect(others).toEqual([])
      expect(mail?.subject).toBe('A user asks for a reset of two factor authentication')
      expect(mail?.text).toContain(`${user.nick} has entered their password`)
      expect(mail?.text).toContain(`/enterprises/${enterpriseId}/users/${user.id}`)
      expect(await mailbox.of(weak)).toEqual([])
      expect(await mailbox.of(disabled)).toEqual([])
      expect(await asked(user.id)).toMatchObject([{ user: user.nick, entityName: user.nick }])
    }))

  test('is answered once an hour for each user', () =>
    withMailbox(async (mailbox) => {
      vi.useFakeTimers({ toFake: ['Date'] })
      const { user, one } = await newEnrolled()
      expect((await ask(user)).status).toBe(204)
      const again = await ask(user)
      expect([again.status, Number(again.headers.get('retry-after')) > 3500]).toEqual([429, true])
      expect(await mailbox.of(one.email)).toHaveLength(1)
      vi.setSystemTime(Date.now() + HOUR + 1000)
      expect((await ask(user)).status).toBe(204)
      expect(await mailbox.of(one.email)).toHaveLength(2)
    }))

  test('without the password says as little as the sign-in, whether or not there is such a user', () =>
    withMailbox(async (mailbox) => {
      const { user, one } = await newEnrolled()
      expect(await codesOf(ask({ ...user, password: 'wrong password' }))).toEqual(['SIGN-IN-0'])
      expect(await codesOf(ask({ nick: `no-${user.nick}`, password: user.password }))).toEqual(['SIGN-IN-0'])
      expect(await mailbox.of(one.email)).toEqual([])
      expect(await asked(user.id)).toEqual([])
    }))

  test('is taken in XML too', () =>
    withMailbox(async () => {
      const { user } = await newEnrolled()
      const body = `<twofactorresetrequest><nick>${user.nick}</nick><password>${user.password}</password></twofactorresetrequest>`
      const headers = { 'content-type': 'application/vnd.service.twofactorresetrequest+xml' }
      expect((await call('POST', '/api/session/twofactorreset', { as: null, body, headers })).status).toBe(
        204,
      )
      expect(await asked(user.id)).toHaveLength(1)
    }))

  test('mails nobody for a user without two factor', () =>
    withMailbox(async () => {
      const user = await newUser({ privileges: [] })
      expect((await ask(user)).status).toBe(204)
      expect(await asked(user.id)).toEqual([])
    }))

  test('goes to administrators of other enterprises where the own one has none', () =>
    withMailbox(async (mailbox) => {
      const { user, one } = await newEnrolled()
      await changeUser(one, { locked: 1 })
      await newUser({ privileges: [...manages, 'USERS_MANAGE_OTHER_ENTERPRISES'], email: newAddress() })
      expect((await ask(user)).status).toBe(204)
      expect(await mailbox.of(one.email)).toEqual([])
      expect(mailbox.inOrder().length).toBeGreaterThan(0)
      expect(await asked(user.id)).toHaveLength(1)
    }))

  test('is refused where the installation sends no mail', async () => {
    const { user } = await newEnrolled()
    expect(await codesOf(ask(user))).toEqual(['SIGN-IN-8'])
  })
})
