import { afterEach, describe, expect, test, vi } from 'vitest'
import { removeExpiredSessions } from '#lib/caller/auth/sessions.server'
import { database } from '#lib/db/db.server'
import { call, codesOf, expectStatus, newUser, type User } from '#lib/tools/testing/client'
import { cookiesOf, pairOf, tokenOf, withSettings } from '#lib/tools/testing/session'

afterEach(() => {
  vi.useRealTimers()
})

const MINUTE = 60_000
const LIST = '/api/session/sessions'

type Session = { as: null; headers: Record<string, string> }

async function signIn({ nick, password }: User, userAgent = 'Mozilla/5.0'): Promise<Session> {
  const headers = { 'user-agent': userAgent }
  const response = await call('POST', '/api/session', { as: null, body: { nick, password }, headers })
  expect(response.status).toBe(200)
  return { as: null, headers: { ...headers, cookie: pairOf(cookiesOf(response).console) } }
}

const bearer = (response: Response): Session => ({
  as: null,
  headers: { authorization: `Token ${tokenOf(response)}`, 'user-agent': 'robot/1.0' },
})

const tokenFor = async (as: User): Promise<Session> => bearer(await call('GET', '/api/login', { as }))

const isOpen = async (session: Session) => (await call('GET', '/api/login', session)).status === 200

const listOf = async (session: Session) => (await expectStatus(200, call('GET', LIST, session))).collection

const rowsOf = ({ id }: { id: number }) =>
  database().read.selectFrom('sessions').where('user_id', '=', id).selectAll().execute()

const startClock = () => {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(now)
  return { to: (ms: number) => vi.setSystemTime(now + ms) }
}

describe('the list of one’s own sessions', () => {
  test('shows the origin and start of each session, and marks the current one', async () => {
    const user = await newUser({ privileges: [] })
    const [one, two] = [await signIn(user, 'Firefox'), await signIn(user, 'Chrome')]
    const sessions = await listOf(two)
    expect(sessions).toHaveLength(2)
    expect(sessions).toContainEqual({
      links: [expect.objectContaining({ rel: 'self', type: 'application/vnd.service.usersession+json' })],
      id: expect.any(Number),
      current: true,
      inConsole: true,
      began: expect.any(String),
      lastUse: expect.any(String),
      expires: expect.any(String),
      address: '127.0.0.1',
      userAgent: 'Chrome',
    })
    expect(
      sessions.map(({ userAgent, current }: { userAgent: string; current: boolean }) => [userAgent, current]),
    ).toEqual(
      expect.arrayContaining([
        ['Firefox', false],
        ['Chrome', true],
      ]),
    )
    expect(await isOpen(one)).toBe(true)
  })

  test('shows no sessions of other users, and none that were signed out or expired', async () => {
    const clock = startClock()
    const [user, other] = [await newUser(), await newUser()]
    await signIn(other)
    const one = await signIn(user)
    clock.to(20 * MINUTE)
    const two = await signIn(user)
    expect(await listOf(two)).toHaveLength(2)
    clock.to(31 * MINUTE)
    expect(await listOf(two)).toHaveLength(1)
    expect(await isOpen(one)).toBe(false)
    await call('DELETE', '/api/session', two)
    expect(await rowsOf(user)).toHaveLength(1)
    await removeExpiredSessions()
    expect(await rowsOf(user)).toHaveLength(0)
  })

  test('shows one session per used chain of tokens; programs that send the password each time have none', async () => {
    const user = await newUser({ privileges: [] })
    for (let index = 0; index < 3; index += 1) await call('GET', '/api/login', { as: user })
    expect(await rowsOf(user)).toHaveLength(0)
    const first = await call('GET', '/api/login', await tokenFor(user))
    await call('GET', '/api/login', bearer(first))
    await vi.waitFor(async () => expect(await rowsOf(user)).toHaveLength(1), 15_000)
    const [program] = await listOf(await signIn(user))
    expect(await listOf(bearer(first))).toContainEqual(
      expect.objectContaining({ inConsole: false, userAgent: 'robot/1.0', current: true }),
    )
    expect(program).toBeDefined()
  })

  test('shows when each session began, was last used and will end, and where it is used', async () => {
    const clock = startClock()
    const began = Date.now()
    const at = (minutes: number) => new Date(began + minutes * MINUTE).toISOString()
    const user = await newUser({ privileges: [] })
    const browser = await signIn(user, 'x'.repeat(300))
    const { 'user-agent': _, ...headers } = (await tokenFor(user)).headers
    clock.to(5 * MINUTE)
    const used = Date.now()
    await withSettings({ SESSION_IDLE_SECONDS: 1200, TOKEN_TTL_SECONDS: 600 }, async () => {
      for (const session of [browser, { as: null, headers }]) await isOpen(session)
      const usedNow = async () => (await rowsOf(user)).filter((row) => row.last_used === used)
      await vi.waitFor(async () => expect(await usedNow()).toHaveLength(2), 15_000)
      const times = { began: at(0), lastUse: at(5) }
      expect(await listOf(browser)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ ...times, inConsole: true, expires: at(25), userAgent: 'x'.repeat(255) }),
          expect.objectContaining({ ...times, inConsole: false, expires: at(15), userAgent: '' }),
        ]),
      )
    })
  })

  test('is in the order of the last use, or of the sign-ins', async () => {
    const clock = startClock()
    const user = await newUser({ privileges: [] })
    const [one] = [await signIn(user, 'one'), await signIn(user, 'two')]
    const began = Date.now()
    clock.to(2 * MINUTE)
    await isOpen(one)
    await vi.waitFor(
      async () => expect((await rowsOf(user)).some((row) => row.last_used > began)).toBe(true),
      15_000,
    )
    const inOrder = async (by: string) =>
      (await expectStatus(200, call('GET', `${LIST}?by=${by}`, one))).collection.map(
        ({ userAgent }: { userAgent: string }) => userAgent,
      )
    expect([await inOrder('id'), await inOrder('lastuse')]).toEqual([
      ['one', 'two'],
      ['two', 'one'],
    ])
  })

  test('records the last use and its address once a minute', async () => {
    const clock = startClock()
    const user = await newUser()
    const session = await signIn(user, 'Chrome 1')
    const began = (await rowsOf(user))[0]?.last_used ?? 0
    clock.to(59_000)
    await isOpen(session)
    clock.to(61_000)
    await isOpen({ ...session, headers: { ...session.headers, 'user-agent': 'Chrome 2' } })
    await vi.waitFor(async () => {
      const [row] = await rowsOf(user)
      expect(row).toMatchObject({ last_used: began + 61_000, user_agent: 'Chrome 2' })
    }, 15_000)
  })
})

describe('ending sessions', () => {
  test('a new sign-in ends the previous session of the same browser, of any user; a wrong password ends none', async () => {
    const [user, other] = [await newUser({ privileges: [] }), await newUser({ privileges: [] })]
    const again = (before: object, { nick, password }: User) =>
      call('POST', '/api/session', { ...before, body: { nick, password } })
    for (const next of [user, other]) {
      const first = await signIn(user)
      expect((await again(first, { ...next, password: 'wrong' })).status).toBe(401)
      expect(await isOpen(first)).toBe(true)
      expect((await again(first, next)).status).toBe(200)
      expect(await isOpen(first)).toBe(false)
    }
  })

  test('one session: its cookie is refused, the others stay valid', async () => {
    const user = await newUser({ privileges: [] })
    const [one, two] = [await signIn(user), await signIn(user)]
    const other = (await listOf(two)).find(({ current }: { current: boolean }) => !current)
    const { href } = other.links[0]
    expect((await call('DELETE', href, two)).status).toBe(204)
    expect([await isOpen(one), await isOpen(two)]).toEqual([false, true])
    expect(await codesOf(call('DELETE', href, two))).toEqual(['SESSION-0'])
  })

  test('a program’s session: all its tokens are refused', async () => {
    const user = await newUser({ privileges: [] })
    const first = await call('GET', '/api/login', await tokenFor(user))
    await vi.waitFor(async () => expect(await rowsOf(user)).toHaveLength(1), 15_000)
    const session = await signIn(user)
    const program = (await listOf(session)).find(({ inConsole }: { inConsole: boolean }) => !inConsole)
    expect((await call('DELETE', `${LIST}/${program.id}`, session)).status).toBe(204)
    expect(await isOpen(bearer(first))).toBe(false)
  })

  test('not of another user, with any privileges', async () => {
    const user = await newUser()
    await signIn(user)
    const [row] = await rowsOf(user)
    expect(await codesOf(call('DELETE', `${LIST}/${row?.id}`, await signIn(await newUser())))).toEqual([
      'SESSION-0',
    ])
    expect(await rowsOf(user)).toHaveLength(1)
  })

  test('all others: browsers, programs and unused tokens; the current session stays valid', async () => {
    const user = await newUser({ privileges: [] })
    const [browser, unused] = [await signIn(user), await tokenFor(user)]
    const program = bearer(await call('GET', '/api/login', await tokenFor(user)))
    const session = await signIn(user)
    expect((await call('DELETE', LIST, session)).status).toBe(204)
    for (const ended of [browser, unused, program]) expect(await isOpen(ended)).toBe(false)
    expect(await isOpen(session)).toBe(true)
    expect(await listOf(session)).toHaveLength(1)
    expect(await isOpen(await signIn(user))).toBe(true)
  })

  test('all others: the list shows the current one as before', async () => {
    const clock = startClock()
    const user = await newUser({ privileges: [] })
    const [session, other] = [await signIn(user, 'Firefox'), await signIn(user, 'Chrome')]
    const [before] = (await listOf(session)).filter(({ current }: { current: boolean }) => current)
    clock.to(30_000)
    const headers = { ...session.headers, 'user-agent': 'Firefox 2' }
    expect((await call('DELETE', LIST, { as: null, headers, from: '192.0.2.7' })).status).toBe(204)
    expect(await isOpen(other)).toBe(false)
    expect(await listOf(session)).toEqual([{ ...before, id: expect.any(Number), links: expect.any(Array) }])
  })

  test('one that has expired: SESSION-0', async () => {
    const clock = startClock()
    const user = await newUser()
    await signIn(user)
    const [row] = await rowsOf(user)
    clock.to(31 * MINUTE)
    expect(await codesOf(call('DELETE', `${LIST}/${row?.id}`, await signIn(user)))).toEqual(['SESSION-0'])
  })

  test('is remembered until none of its tokens could be valid', async () => {
    const clock = startClock()
    const user = await newUser()
    const session = await signIn(user)
    const [row] = await rowsOf(user)
    expect((await call('DELETE', '/api/session', session)).status).toBe(204)
    const remembered = () =>
      database()
        .read.selectFrom('ended_sessions')
        .where('id', '=', row?.chain ?? '')
        .select('id')
        .execute()
    for (const [hours, left] of [
      [11, 1],
      [13, 0],
    ] as const) {
      clock.to(hours * 60 * MINUTE)
      await removeExpiredSessions()
      expect(await remembered()).toHaveLength(left)
    }
  })

  test('all others, requested by a program: its own tokens stay valid', async () => {
    const user = await newUser({ privileges: [] })
    const browser = await signIn(user)
    const token = await tokenFor(user)
    const answer = await call('DELETE', LIST, token)
    expect(answer.status).toBe(204)
    expect([await isOpen(browser), await isOpen(token), await isOpen(bearer(answer))]).toEqual([
      false,
      true,
      true,
    ])
  })
})

describe('a new password', () => {
  const change = ({ password }: User, session: Session | { as: User }) => {
    const body = { oldPassword: password, password: 'quite another password' }
    return call('PUT', '/api/session/password', { ...session, body })
  }

  test('ends all sessions; an enrolment continues only where it began', async () => {
    for (const changes of ['that began it', 'another']) {
      const user = await newUser({ privileges: [] })
      const [began, other] = [await signIn(user), await signIn(user)]
      const path = `/api/admin/enterprises/_/users/${user.id}/action/enable2fa`
      await expectStatus(201, call('POST', path, { ...began, body: { type: 'APP_AUTHENTICATOR' } }))
      const answer = await change(user, changes === 'another' ? other : began)
      expect([await isOpen(began), await isOpen(other)]).toEqual([false, false])
      const next = { as: null, headers: { cookie: pairOf(cookiesOf(answer).console) } }
      expect([changes, await expectStatus(200, call('GET', '/api/session', next))]).toEqual([
        changes,
        expect.objectContaining({ canTakeBack: changes !== 'another' }),
      ])
    }
  })

  test('from a program begins no session that the list would show', async () => {
    const user = await newUser({ privileges: [] })
    expect((await change(user, { as: user })).status).toBe(204)
    expect(await rowsOf(user)).toHaveLength(0)
  })
})

const lastUseOf = async (id: number) => (await rowsOf({ id }))[0]?.last_used

describe('the limits of a session', () => {
  const lifeOf = async (session: Session) => {
    const { secondsLeft, secondsLeftAtMost } = await expectStatus(200, call('GET', '/api/session', session))
    return [secondsLeft, secondsLeftAtMost]
  }

  test('it ends after half an hour without activity, and after 12 hours at most', async () => {
    const clock = startClock()
    const user = await newUser()
    const session = await signIn(user)
    expect(await lifeOf(session)).toEqual([1800, 43_200])
    clock.to(30_000)
    expect(await lifeOf(session)).toEqual([1800, 43_170])
    for (let at = 25; at < 12 * 60; at += 25) {
      const before = Date.now()
      clock.to(at * MINUTE)
      expect(await isOpen(session)).toBe(true)
      // The last use is recorded asynchronously, after the response.
      await vi.waitFor(async () => expect(await lastUseOf(user.id)).toBeGreaterThan(before), 15_000)
      expect((await lifeOf(session))[0]).toBe(Math.min(1800, 43_200 - at * 60))
    }
    clock.to(12 * 60 * MINUTE)
    expect(await isOpen(session)).toBe(false)
  })

  test('polling does not keep it alive; activity does', async () => {
    const clock = startClock()
    const user = await newUser()
    const [polled, touched] = [await signIn(user), await signIn(user)]
    const idleFor = (session: Session, seconds: number): Session => ({
      as: null,
      headers: { ...session.headers, 'x-user-idle': String(seconds) },
    })
    for (let minute = 2; minute <= 28; minute += 2) {
      clock.to(minute * MINUTE)
      await isOpen(idleFor(polled, minute * 60))
      await isOpen(idleFor(touched, 0))
    }
    expect(await lifeOf(idleFor(polled, 28 * 60))).toEqual([120, 43_200 - 28 * 60])
    // Another tab of the same browser was left alone since the sign-in.
    await vi.waitFor(
      async () => expect((await lifeOf(idleFor(touched, 28 * 60)))[0]).toBeGreaterThan(1700),
      15_000,
    )
    clock.to(30 * MINUTE + 1000)
    expect([await isOpen(idleFor(polled, 1801)), await isOpen(idleFor(touched, 121))]).toEqual([false, true])
    expect((await call('GET', '/api/session', polled)).status).toBe(204)
  })

  test('the idle time that a page reports cannot lie in the future', async () => {
    const session = await signIn(await newUser())
    for (const idle of ['-3600', '1e3', 'x', '12x', '99999999'])
      expect(await lifeOf({ as: null, headers: { ...session.headers, 'x-user-idle': idle } })).toEqual([
        1800, 43_200,
      ])
  })

  test('the limits come from the settings', async () => {
    await withSettings({ SESSION_IDLE_SECONDS: 60, SESSION_MAX_SECONDS: 90 }, async () => {
      const session = await signIn(await newUser())
      expect(await lifeOf(session)).toEqual([60, 90])
      expect(await expectStatus(200, call('GET', '/api/session', session))).toMatchObject({ idleLimit: 60 })
    })
  })

  test('a use counts after a tenth of a short idle limit, although it would not within a minute', async () => {
    const clock = startClock()
    await withSettings({ SESSION_IDLE_SECONDS: 60 }, async () => {
      const user = await newUser({ privileges: [] })
      const session = await signIn(user)
      clock.to(7000)
      const used = Date.now()
      await isOpen(session)
      await vi.waitFor(async () => expect(await lastUseOf(user.id)).toBe(used), 15_000)
      clock.to(66_000)
      expect(await isOpen(session)).toBe(true)
    })
  })
})
