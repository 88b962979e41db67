import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Privilege } from '#lib/caller/auth/privileges'
import { transaction } from '#lib/db/db.server'
import { newAccessToken, newServiceAccount, withToken } from '#lib/tools/testing/access-tokens'
import { call, codesOf, expectStatus, newEnterprise, newUser, type User } from '#lib/tools/testing/client'
import { newRole, putUser, readUser, relinked, roleLink } from '#lib/tools/testing/identity'
import { newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { changeUser, cookiesOf, pairOf, tokenOf, withSettings } from '#lib/tools/testing/session'

const manages: Privilege[] = ['USERS_MANAGE_USERS', 'USERS_VIEW']

/** A user with two factor, and administrators of the enterprise. */
async function newEnrolled() {
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

describe('a reset of two factor for another user', () => {
  test('turns it off, ends every session, notifies the user by mail, and leaves an event', () =>
    withMailbox(async (mailbox) => {
      const { user, path, token, one } = await newEnrolled()
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

  test('is refused for oneself and for users with more privileges (GEN-15)', async () => {
    const { path, one } = await newEnrolled()
    const own = `/api/admin/enterprises/_/users/${one.id}/action`
    expect(await codesOf(reset(own, one))).toEqual(['GEN-15'])
    const strong = await newUser({ enterpriseId: one.enterpriseId })
    expect(await codesOf(reset(path.replace(/users\/\d+/, `users/${strong.id}`), one))).toEqual(['GEN-15'])
  })

  test('requires the privilege, and a second one for another enterprise', async () => {
    const { user, path } = await newEnrolled()
    const { enterpriseId } = user
    const without = await newUser({ privileges: ['USERS_VIEW'], enterpriseId })
    expect((await reset(path, without)).status).toBe(403)
    expect((await reset(path, await newUser({ privileges: manages }))).status).toBe(403)
    expect((await login(user)).status).toBe(401)
  })

  test('is 2FA-7 if two factor is off, and 404 for a missing user', async () => {
    const { user, path, one } = await newEnrolled()
    await expectStatus(200, reset(path, one))
    expect(await codesOf(reset(path, one))).toEqual(['2FA-7'])
    expect(await codesOf(reset(path.replace(`${user.id}/`, '999999999/'), one))).toEqual(['USER-0'])
  })
})

describe('with TWO_FACTOR_RESET_APPROVALS=2', () => {
  const twice = <T>(work: () => Promise<T>): Promise<T> =>
    withSettings({ TWO_FACTOR_RESET_APPROVALS: 2 }, work)

  test('two different administrators are needed, and the first approval changes nothing', () =>
    twice(async () => {
      const { user, path, one, two } = await newEnrolled()
      expect(await expectStatus(200, reset(path, one))).toMatchObject({ approvals: 1, done: false })
      expect(await codesOf(reset(path, one))).toEqual(['2FA-12'])
      expect((await login(user)).status).toBe(401)
      expect(await expectStatus(200, reset(path, two))).toMatchObject({ approvals: 2, done: true })
      expect((await login(user)).status).toBe(200)
    }))

  test('the first approval expires after a day', () =>
    twice(async () => {
      const { path, one, two } = await newEnrolled()
      await expectStatus(200, reset(path, one))
      vi.useFakeTimers({ toFake: ['Date'] })
      vi.setSystemTime(Date.now() + 24 * 3_600_000)
      expect(await expectStatus(200, reset(path, two))).toMatchObject({ approvals: 1, done: false })
    }))

  test('approvals of an earlier enrolment do not count for the next one', () =>
    twice(async () => {
      const { user, path, one, two } = await newEnrolled()
      await expectStatus(200, reset(path, one))
      await expectStatus(200, reset(path, two))
      const body = { type: 'APP_AUTHENTICATOR' }
      await expectStatus(201, call('POST', `${path}/enable2fa`, { as: user, body }))
      expect(await expectStatus(200, reset(path, two))).toMatchObject({ approvals: 1, done: false })
    }))

  test('two simultaneous approvals both count', () =>
    twice(async () => {
      const { path, one, two } = await newEnrolled()
      const answers = await Promise.all([one, two].map((as) => expectStatus(200, reset(path, as))))
      expect(answers.map(({ done }) => done).sort()).toEqual([false, true])
    }))

  test('a service account is no second administrator', () =>
    twice(async () => {
      const { user, path, one } = await newEnrolled()
      const { account, manager } = await newServiceAccount({ ...user, privileges: manages })
      const { token } = await newAccessToken({ ...account, password: '' }, {}, manager)
      await expectStatus(200, reset(path, one))
      const byService = { as: null, headers: withToken(token) }
      expect(await codesOf(call('POST', `${path}/reset2fa`, byService))).toEqual(['GEN-15'])
      expect((await login(user)).status).toBe(401)
    }))

  test('a deleting administrator does not restore the user without two factor', () =>
    twice(async () => {
      const { user } = await newEnrolled()
      const deleted = call('DELETE', `/api/admin/enterprises/_/users/${user.id}`)
      expect((await deleted).status).toBe(204)
      const { collection } = await expectStatus(200, call('GET', '/api/events?limit=1&by=id&asc=false'))
      const undo = `/api/events/${collection[0].id}/action/undo`
      expect(await codesOf(call('POST', undo))).toEqual(['GEN-15'])
      await expectStatus(200, call('POST', undo, { as: await newUser() }))
    }))

  test('an administrator does not redirect mailed codes', () =>
    withMailbox(() =>
      twice(async () => {
        const user = await newUser({ privileges: [], email: newAddress() })
        const path = `/api/admin/enterprises/_/users/${user.id}`
        const body = { type: 'EMAIL' }
        await expectStatus(201, call('POST', `${path}/action/enable2fa`, { as: user, body }))
        const document = await expectStatus(200, call('GET', path))
        const put = (change: object) => call('PUT', path, { body: { ...document, ...change } })
        expect(await codesOf(put({ email: newAddress() }))).toEqual(['GEN-15'])
        await expectStatus(200, put({ name: 'Renamed' }))
      }),
    ))

  type Enrolled = Awaited<ReturnType<typeof newEnrolled>>
  const given = async (id: number, privileges: Privilege[]) => {
    const document = await readUser(id)
    const role = roleLink(await newRole({ privileges }))
    await expectStatus(200, putUser(document, { links: relinked(document, 'role', role) }))
  }
  test.each<[string, (enrolled: Enrolled) => Promise<unknown>]>([
    ['is disabled', ({ one }) => changeUser(one, { active: 0 })],
    ['is locked', ({ one }) => changeUser(one, { locked: 1 })],
    ['may manage nobody now', ({ one }) => given(one.id, ['USERS_VIEW'])],
    ['has less than the user now', ({ user }) => given(user.id, ['USERS_VIEW', 'VDC_ENUMERATE'])],
    [
      'is in another enterprise now',
      async ({ one }) => changeUser(one, { enterprise_id: (await newEnterprise()).id }),
    ],
  ])('the approval of an administrator who %s does not count', (_, then) =>
    twice(async () => {
      const enrolled = await newEnrolled()
      const { path, one } = enrolled
      await expectStatus(200, reset(path, one))
      await then(enrolled)
      const strong = await newUser({ enterpriseId: one.enterpriseId })
      expect(await expectStatus(200, reset(path, strong))).toMatchObject({ approvals: 1, done: false })
    }),
  )

  test('the approval of a deleted administrator does not count', () =>
    twice(async () => {
      const { path, one, two } = await newEnrolled()
      await expectStatus(200, reset(path, one))
      const deleted = call('DELETE', `/api/admin/enterprises/_/users/${one.id}`)
      expect((await deleted).status).toBe(204)
      expect(await expectStatus(200, reset(path, two))).toMatchObject({ approvals: 1, done: false })
    }))
})

test('a user with all kinds of sign-in data can be deleted', () =>
  withMailbox(async () => {
    const { user, path, one } = await newEnrolled()
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
