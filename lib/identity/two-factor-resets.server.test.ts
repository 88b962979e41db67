import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Privilege } from '#lib/auth/privileges'
import { transaction } from '#lib/db/db.server'
import { call, codesOf, expectStatus, newUser, type User } from '#lib/testing/client'
import { newAddress, withMailbox } from '#lib/testing/mailbox'
import { cookiesOf, pairOf, tokenOf, withSettings } from '#lib/testing/session'

const manages: Privilege[] = ['USERS_MANAGE_USERS', 'USERS_VIEW']

/** A user with two factor, and administrators of the enterprise. */
async function locked() {
  const user = await newUser({ privileges: [], email: newAddress() })
  const path = `/api/admin/enterprises/${user.enterpriseId}/users/${user.id}/action`
  const { enterpriseId } = user
  const enabled = await call('POST', `${path}/enable2fa`, { as: user, body: { type: 'APP_AUTHENTICATOR' } })
  expect(enabled.status).toBe(201)
  return {
    user,
    path,
    token: tokenOf(enabled),
    one: await newUser({ privileges: manages, enterpriseId }),
    two: await newUser({ privileges: manages, enterpriseId }),
  }
}

const reset = (path: string, as: User) => call('POST', `${path}/reset2fa`, { as })
const login = (as: User) => call('GET', '/api/login', { as })

afterEach(() => {
  vi.useRealTimers()
})

describe('reset of the two factor of another user', () => {
  test('turns it off, ends every session, tells the user by mail, and leaves an event', () =>
    withMailbox(async (mailbox) => {
      const { user, path, token, one } = await locked()
      const self = { as: null, headers: { authorization: `Token ${token}` } }
      const { email } = await expectStatus(200, call('GET', '/api/login', self))
      expect((await login(user)).status).toBe(401)
      expect(await expectStatus(200, reset(path, one))).toEqual({
        links: [],
        approvals: 1,
        approvalsNeeded: 1,
        done: true,
      })
      expect((await login(user)).status).toBe(200)
      expect((await call('GET', '/api/login', self)).status).toBe(401)
      expect((await mailbox.of(email)).at(-1)?.subject).toMatch(/^An administrator has turned/)
      const { collection } = await expectStatus(
        200,
        call('GET', `/api/events?entity=user&entityid=${user.id}&action=reset2fa`),
      )
      expect(collection).toMatchObject([
        {
          user: one.nick,
          entityName: user.nick,
          changes: { approvals: { after: '1 of 1' }, twoFactorProvider: { before: 'APP_AUTHENTICATOR' } },
        },
      ])
    }))

  test('is never for oneself, nor for who holds more (GEN-15)', async () => {
    const { path, one } = await locked()
    const own = `/api/admin/enterprises/_/users/${one.id}/action`
    expect(await codesOf(reset(own, one))).toEqual(['GEN-15'])
    const strong = await newUser({ enterpriseId: one.enterpriseId })
    expect(await codesOf(reset(path.replace(/users\/\d+/, `users/${strong.id}`), one))).toEqual(['GEN-15'])
  })

  test('needs the privilege, and for another enterprise a second one', async () => {
    const { user, path } = await locked()
    const { enterpriseId } = user
    const without = await newUser({ privileges: ['USERS_VIEW'], enterpriseId })
    expect((await reset(path, without)).status).toBe(403)
    expect((await reset(path, await newUser({ privileges: manages }))).status).toBe(403)
    expect((await login(user)).status).toBe(401)
  })

  test('is 2FA-7 where it is off, 404 where there is nobody', async () => {
    const { user, path, one } = await locked()
    await expectStatus(200, reset(path, one))
    expect(await codesOf(reset(path, one))).toEqual(['2FA-7'])
    expect(await codesOf(reset(path.replace(`${user.id}/`, '999999999/'), one))).toEqual(['USER-0'])
  })
})

describe('where TWO_FACTOR_RESET_APPROVALS is 2', () => {
  const twice = <T>(work: () => Promise<T>): Promise<T> =>
    withSettings({ TWO_FACTOR_RESET_APPROVALS: 2 }, work)

  test('two administrators are needed: the first changes nothing, and cannot be the second', () =>
    twice(async () => {
      const { user, path, one, two } = await locked()
      expect(await expectStatus(200, reset(path, one))).toMatchObject({ approvals: 1, done: false })
      expect(await codesOf(reset(path, one))).toEqual(['2FA-12'])
      expect((await login(user)).status).toBe(401)
      expect(await expectStatus(200, reset(path, two))).toMatchObject({ approvals: 2, done: true })
      expect((await login(user)).status).toBe(200)
    }))

  test('the first approval holds for a day', () =>
    twice(async () => {
      const { path, one, two } = await locked()
      await expectStatus(200, reset(path, one))
      vi.useFakeTimers({ toFake: ['Date'] })
      vi.setSystemTime(Date.now() + 24 * 3_600_000)
      expect(await expectStatus(200, reset(path, two))).toMatchObject({ approvals: 1, done: false })
    }))

  test('one of an earlier enrolment says nothing of the next', () =>
    twice(async () => {
      const { user, path, one, two } = await locked()
      await expectStatus(200, reset(path, one))
      await expectStatus(200, reset(path, two))
      const body = { type: 'APP_AUTHENTICATOR' }
      await expectStatus(201, call('POST', `${path}/enable2fa`, { as: user, body }))
      expect(await expectStatus(200, reset(path, two))).toMatchObject({ approvals: 1, done: false })
    }))

  test('two who approve at once are two', () =>
    twice(async () => {
      const { path, one, two } = await locked()
      const answers = await Promise.all([one, two].map((as) => expectStatus(200, reset(path, as))))
      expect(answers.map(({ done }) => done).sort()).toEqual([false, true])
    }))

  test('who was deleted meanwhile stands in nobody’s way', () =>
    twice(async () => {
      const { path, one, two } = await locked()
      await expectStatus(200, reset(path, one))
      const deleted = call('DELETE', `/api/admin/enterprises/_/users/${one.id}`)
      expect((await deleted).status).toBe(204)
      expect(await expectStatus(200, reset(path, two))).toMatchObject({ approvals: 1, done: false })
    }))
})

test('deleting a user deletes everything of their sign-in', () =>
  withMailbox(async () => {
    const { user, path, one } = await locked()
    const { nick, password } = await newUser({ enterpriseId: user.enterpriseId })
    const session = await call('POST', '/api/session', { as: null, body: { nick, password } })
    expect(pairOf(cookiesOf(session).console)).not.toBe('')
    await transaction((trx) =>
      trx.insertInto('refused_steps').values({ user_id: user.id, step: 1 }).execute(),
    )
    await call('POST', '/api/session/passwordreset', { as: null, body: { nick: user.nick } })
    await withSettings({ TWO_FACTOR_RESET_APPROVALS: 2 }, () => reset(path, one))
    for (const target of [user.id, (await session.json()).id])
      expect((await call('DELETE', `/api/admin/enterprises/_/users/${target}`)).status).toBe(204)
  }))
