import { afterEach, describe, expect, test, vi } from 'vitest'
import { database } from '#lib/db/db.server'
import { removeOldFailures } from '#lib/people/sign-in/throttle.server'
import { admin, call, expectStatus, newUser, type User } from '#lib/tools/testing/client'
import { changeUser, rowOf, tokenOf, withSettings } from '#lib/tools/testing/session'

const MINUTE = 60_000

const login = async (as: User) => (await call('GET', '/api/login', { as })).status

afterEach(() => {
  vi.useRealTimers()
})

describe('PASSWORD_TRIES', () => {
  const otherCloudAdministrators = async () => {
    const rows = await database()
      .read.selectFrom('users')
      .innerJoin('roles', 'roles.id', 'users.role_id')
      .where('roles.blocked', '=', 1)
      .where('users.active', '=', 1)
      .where('users.nick', '<>', admin.nick)
      .select('users.nick')
      .execute()
    return rows.map(({ nick }) => nick)
  }
  const refused = async (user: User) => {
    expect(await login(user)).toBe(401)
    // Slower than the throttle counts.
    vi.setSystemTime(Date.now() + MINUTE + 1)
  }
  const tryWrong = async (user: User, times: number) => {
    for (let index = 0; index < times; index += 1) await refused({ ...user, password: 'wrong' })
  }
  /** How many are counted or being checked; once that locked the user, more than any policy allows. */
  const attemptsOf = async ({ id }: { id: number }): Promise<number> => {
    const row = await database()
      .read.selectFrom('sign_in_failures')
      .where('key', '=', `tries ${id}`)
      .select(['failures', 'pending', 'waits'])
      .executeTakeFirst()
    if (!row) return 0
    return row.waits > 0 ? Number.POSITIVE_INFINITY : row.failures + row.pending
  }
  const policy = <T>(work: () => Promise<T>): Promise<T> => {
    vi.useFakeTimers({ toFake: ['Date'] })
    return withSettings({ PASSWORD_TRIES: 3 }, work)
  }

  test('locks the user after this many wrong passwords in a row, ends their tokens, and records an event', () =>
    policy(async () => {
      const user = await newUser({ privileges: [] })
      const headers = { authorization: `Token ${tokenOf(await call('GET', '/api/login', { as: user }))}` }
      await tryWrong(user, 2)
      expect(await login(user)).toBe(200)
      await tryWrong(user, 2)
      expect((await rowOf(user)).locked).toBe(0)
      await tryWrong(user, 1)
      expect((await rowOf(user)).locked).toBe(1)
      expect(await login(user)).toBe(401)
      expect((await call('GET', '/api/login', { as: null, headers })).status).toBe(401)
      const events = `/api/events?entity=user&entityid=${user.id}&action=lock`
      expect((await expectStatus(200, call('GET', events))).collection).toHaveLength(1)
    }))

  test('never locks the last cloud administrator, because nobody could unlock them', () =>
    policy(async () => {
      const others = await otherCloudAdministrators()
      for (const nick of others) await changeUser({ nick, password: '' }, { active: 0 })
      await tryWrong(admin, 4)
      expect(await login(admin)).toBe(200)
      for (const nick of others) await changeUser({ nick, password: '' }, { active: 1 })
    }))

  test('counts concurrent attempts: no more than the limit are checked', () =>
    withSettings({ PASSWORD_TRIES: 3 }, async () => {
      const user = await newUser({ privileges: [] })
      // Each comes from elsewhere.
      const attempt = async (as: User, place: number) =>
        (await call('GET', '/api/login', { as, from: `2001:db8:7:${place}::1` })).status
      const wrong = Array.from({ length: 12 }, (_, place) => attempt({ ...user, password: 'wrong' }, place))
      await vi.waitFor(async () => expect(await attemptsOf(user)).toBeGreaterThanOrEqual(3), 10_000)
      const statuses = await Promise.all([...wrong, attempt(user, 12)])
      expect(statuses).toEqual(Array.from({ length: 13 }, () => 401))
      expect((await rowOf(user)).locked).toBe(1)
    }))

  test('counts wrong old passwords too: the thief of a token locks the user and loses access', () =>
    policy(async () => {
      const user = await newUser({ privileges: [] })
      const headers = { authorization: `Token ${tokenOf(await call('GET', '/api/login', { as: user }))}` }
      const change = (oldPassword: string) =>
        call('PUT', '/api/session/password', {
          as: null,
          headers,
          body: { oldPassword, password: 'quite another password' },
        })
      const statuses: number[] = []
      for (const guess of ['one', 'two', 'three', user.password]) {
        statuses.push((await change(guess)).status)
        vi.setSystemTime(Date.now() + MINUTE + 1)
      }
      // The third one locks the user, which counts at once.
      expect(statuses).toEqual([409, 409, 401, 401])
    }))

  test('does not count attempts from networks where the user may not sign in', () =>
    policy(async () => {
      const user = await newUser({ privileges: [] })
      await changeUser(user, { allowed_cidrs: '["203.0.113.0/24"]' })
      for (const password of ['wrong', 'wrong', 'wrong', 'wrong', user.password])
        await refused({ ...user, password })
      const home = await call('GET', '/api/login', { as: user, from: '203.0.113.9' })
      expect(home.status).toBe(200)
    }))

  test('counts over hours: occasional attempts lock the user too', () =>
    policy(async () => {
      const user = await newUser({ privileges: [] })
      for (let index = 0; index < 3; index += 1) {
        await tryWrong(user, 1)
        vi.setSystemTime(Date.now() + 5 * 60 * MINUTE)
        await removeOldFailures()
      }
      expect((await rowOf(user)).locked).toBe(1)
    }))

  test('is off if it is 0', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const user = await newUser({ privileges: [] })
    await tryWrong(user, 8)
    expect(await login(user)).toBe(200)
  })
})
