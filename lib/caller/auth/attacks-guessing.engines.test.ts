import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hashPassword } from '#lib/caller/auth/passwords.server'
import { database, transaction } from '#lib/db/db.server'
import { takePlaces } from '#lib/people/sign-in/attempt-counters.server'
import { removeOldPlaces } from '#lib/people/sign-in/known-places.server'
import { resetsMade } from '#lib/request/entrance/password-resets.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { call, codesOf, expectStatus, newUser, type User, unique } from '#lib/tools/testing/client'
import { enrolled } from '#lib/tools/testing/enrolled'
import { newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { closeEvent } from '#lib/tools/testing/seals'
import { hasItsDay, swept } from '#lib/tools/testing/search'
import { changeUser, tokenOf } from '#lib/tools/testing/session'
import { together } from '#lib/tools/testing/together'
import { codeOf } from '#lib/tools/testing/totp'

/*
 * Attempts from many addresses and on many accounts. Each test is named after its attack. Two processes count them as one:
 * lib/caller/auth/attacks-at-two-processes.engines.machine.test.ts.
 */

let network = 0

/** An address in a /48 that no other test uses, of the addresses for documentation (RFC 9637). */
function newPlace(): string {
  network += 1
  return `3fff:${network.toString(16)}:${(process.pid % 0xffff).toString(16)}:1::1`
}

/** An address in another part of the same /48: the fourth group of four hexadecimal digits. */
const nearBy = (place: string, group: string): string => place.replace(':1::1', `:${group}::1`)

const places = (count: number): string[] => Array.from({ length: count }, newPlace)

const WRONG_CODE = '00000000'
const wrong = (user: User): User => ({ ...user, password: 'a wrong password' })

const login = (as: User, from: string, code?: string) =>
  call('GET', '/api/login', { as, from, headers: code === undefined ? {} : { 'x-service-otp': code } })

const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length

const statusesOf = async (answers: Promise<Response>[]) =>
  (await Promise.all(answers)).map(({ status }) => status)

const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

const retryAfter = (response: Response) => Number(response.headers.get('retry-after'))

/** Ten wrong codes, each from another network. */
async function wave(user: User): Promise<void> {
  const statuses = await statusesOf(places(10).map((place) => login(user, place, WRONG_CODE)))
  expect(count(statuses, 401)).toBe(10)
}

const DAY = 24 * 3600

// The counters that they meet have tests of their own on both engines: lib/people/sign-in/throttle, lib/people/sign-in/lockout.
describe.runIf(hasItsDay(0))('codes guessed from many addresses', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('ten in an hour are checked; the eleventh has to wait even with the correct code', async () => {
    const { user, scratchCodes } = await enrolled()
    await wave(user)
    for (const code of [WRONG_CODE, scratchCodes[0]]) {
      const refused = await login(user, newPlace(), code)
      expect([refused.status, retryAfter(refused)]).toEqual([429, 60])
      expect(await codesOf(refused)).toEqual(['429-TOO-MANY-REQUESTS'])
    }
  })

  test('the wait doubles up to an hour, and attempts during the wait do not extend it', {
    timeout: 240_000,
  }, async () => {
    const { user } = await enrolled()
    const waits: number[] = []
    for (let round = 0; round < 8; round += 1) {
      await wave(user)
      waits.push(retryAfter(await login(user, newPlace(), WRONG_CODE)))
      later((waits.at(-1) ?? 0) + 1)
    }
    expect(waits).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600])
  })

  test('the owner can sign in from networks of the last 30 days, and from others after the wait', async () => {
    const { user, secret, scratchCodes } = await enrolled()
    const home = newPlace()
    expect((await login(user, home, scratchCodes[0])).status).toBe(200)
    await wave(user)
    expect((await login(user, home, WRONG_CODE)).status).toBe(401)
    expect((await login(user, home, codeOf(secret))).status).toBe(200)
    expect((await login(user, newPlace(), scratchCodes[1])).status).toBe(429)
    later(61)
    expect((await login(user, newPlace(), scratchCodes[1])).status).toBe(200)
  })

  test('a network is forgotten 30 days after the last sign-in from it', async () => {
    const { user, scratchCodes } = await enrolled()
    const home = newPlace()
    expect((await login(user, home, scratchCodes[0])).status).toBe(200)
    later(30 * DAY - 10)
    await wave(user)
    expect((await login(user, home, WRONG_CODE)).status).toBe(401)
    later(20)
    expect((await login(user, home, WRONG_CODE)).status).toBe(429)
    await removeOldPlaces()
    const kept = await database()
      .read.selectFrom('sign_in_places')
      .where('user_id', '=', user.id)
      .select('network')
      .execute()
    expect(kept).toEqual([])
  })

  test('a known network keeps the five wrong codes a minute of its own', async () => {
    const { user, scratchCodes } = await enrolled()
    const home = newPlace()
    expect((await login(user, home, scratchCodes[0])).status).toBe(200)
    for (const _ of Array(5)) expect((await login(user, home, WRONG_CODE)).status).toBe(401)
    expect((await login(user, home, WRONG_CODE)).status).toBe(429)
    // These attempts count neither for unknown networks nor for the owner's other networks.
    expect((await login(user, newPlace(), scratchCodes[1])).status).toBe(200)
  })

  test('the owner gets one mail for each wave, with the addresses and advice', async () => {
    const { user } = await enrolled()
    const email = newAddress()
    await changeUser(user, { email })
    await withMailbox(async (mailbox) => {
      await wave(user)
      for (const place of places(5)) await login(user, place, WRONG_CODE)
      later(61)
      await wave(user)
      const mails = await mailbox.of(email)
      expect(mails.map(({ subject }) => subject)).toEqual(['Somebody is guessing your verification codes'])
      expect(mails[0]?.text).toMatch(/10 wrong verification codes.* from 3fff:.*::\/64 and 5 more/)
      expect(mails[0]?.text).toContain('change your password now')
      later(3 * 3600)
      await wave(user)
      expect(await mailbox.of(email)).toHaveLength(2)
    })
  })

  test('mailed codes count too, besides the limit of five attempts per mailed code', async () => {
    const user = await newUser({ email: newAddress() })
    await changeUser(user, { two_factor_provider: 'EMAIL' })
    await withMailbox(async () => {
      for (const place of places(10)) expect((await login(user, place, '000000')).status).toBe(401)
      expect((await login(user, newPlace(), '000000')).status).toBe(429)
    })
  })

  test('no operation checks a code from unknown networks during the wait', async () => {
    const { user, scratchCodes } = await enrolled()
    const token = tokenOf(await login(user, newPlace(), scratchCodes[1]))
    await wave(user)
    const from = newPlace()
    const code = scratchCodes[0] ?? ''
    for (const { method, path, kind } of swept(await operations(user.id))) {
      const headers = { 'x-service-otp': code, authorization: `Token ${token}` }
      const byToken = call(method, path, { as: null, from, headers, ...bodyOf(method, { code }) })
      await (await byToken).text()
      if (kind === 'open') continue
      const byBasic = call(method, path, { as: user, from, headers: { 'x-service-otp': code } })
      expect([method, path, (await byBasic).status]).toEqual([method, path, 429])
    }
    // No operation used up the code.
    later(61)
    expect((await login(user, newPlace(), code)).status).toBe(200)
  })
})

const bodyOf = (method: string, body: object) => (method === 'GET' ? {} : { body })

/** Every operation, except those that end the session or the enrolment that the next operations need. */
async function operations(user: number) {
  const ending = ['POST /api/logout', 'DELETE /api/session', 'DELETE /api/session/enrolment']
  return (await loadRoutes()).flatMap(({ path, handlers }) =>
    Object.entries(handlers).flatMap(([method, { spec }]) => {
      const filled = path
        .replace('[enterprise]', '_')
        .replace('[user]', String(user))
        .replaceAll(/\[\.*\w+\]/g, '1')
      const skipped = ending.includes(`${method} ${path}`) || path.startsWith('/api/logout')
      return skipped ? [] : [{ method, path: filled, kind: spec.kind }]
    }),
  )
}

let victims: Promise<User[]> | undefined

/** Thirty users, whose weak hashes cost less than the one of an unknown nick. */
const sprayed = (): Promise<User[]> => {
  victims ??= Promise.all(Array.from({ length: 30 }, () => newUser()))
  return victims
}

describe.runIf(hasItsDay(1))('one password tried on many accounts (spraying)', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const spray = async (from: string, times = 30) => {
    for (const user of (await sprayed()).slice(0, times))
      expect((await login(wrong(user), from)).status).toBe(401)
  }

  test('after thirty wrong passwords from one network it has to wait for every nick', async () => {
    const from = newPlace()
    await spray(from, 28)
    for (const _ of Array(2))
      expect((await login({ nick: unique('nobody'), password: 'Summer 2026!' }, from)).status).toBe(401)
    const refused = await login({ nick: unique('nobody'), password: 'Summer 2026!' }, from)
    expect([refused.status, retryAfter(refused)]).toEqual([429, 30])
    const user = await newUser()
    expect((await login(user, from)).status).toBe(429)
    expect((await login(user, newPlace())).status).toBe(200)
    const signIn = (body: object) => call('POST', '/api/session', { as: null, from, body })
    expect((await signIn({ nick: user.nick, password: user.password })).status).toBe(429)
  })

  test('the wait doubles, and ends', async () => {
    const from = newPlace()
    for (const wait of [30, 60, 120]) {
      await spray(from)
      expect(retryAfter(await login(await newUser(), from))).toBe(wait)
      later(wait + 1)
    }
    expect((await login(await newUser(), from)).status).toBe(200)
  })

  test('does not lock out an office behind the same address: users who signed in there are not blocked', async () => {
    const [office, colleague, newcomer] = [newPlace(), await newUser(), await newUser()]
    expect((await login(colleague, office)).status).toBe(200)
    await spray(office)
    expect((await login(colleague, office)).status).toBe(200)
    // Also with a hash that is not in the cache of compared passwords.
    await changeUser(colleague, { password_hash: await hashPassword(colleague.password) })
    expect((await login(colleague, office)).status).toBe(200)
    expect((await login(newcomer, office)).status).toBe(429)
  })

  test('does not reveal known places: while the network waits, all wrong passwords get 429', async () => {
    const [office, colleague] = [newPlace(), await newUser()]
    expect((await login(colleague, office)).status).toBe(200)
    expect((await login(wrong(colleague), office)).status).toBe(401)
    await spray(office)
    const strangers = [await newUser(), { nick: unique('nobody'), password: 'Summer 2026!' }]
    const seen = await Promise.all(
      [wrong(colleague), ...strangers].map(async (as) => {
        const basic = await login(as, office)
        const form = await call('POST', '/api/session', {
          as: null,
          from: office,
          body: { nick: as.nick, password: as.password },
        })
        return [basic.status, retryAfter(basic), form.status, retryAfter(form), await codesOf(form)]
      }),
    )
    expect(seen).toEqual(seen.map(() => [429, 30, 429, 30, ['429-TOO-MANY-REQUESTS']]))
    expect((await login(colleague, office)).status).toBe(200)
  })

  test('a correct password does not clear the count of the network', async () => {
    const from = newPlace()
    const own = await newUser()
    await spray(from, 29)
    expect((await login(own, from)).status).toBe(200)
    await spray(from, 1)
    expect((await login(await newUser(), from)).status).toBe(429)
  })

  test('IPv6 clients are counted by their /64 network', async () => {
    const from = newPlace()
    await spray(from)
    expect((await login(await newUser(), from.replace('::1', '::2'))).status).toBe(429)
  })

  /** Sets how many wrong passwords of this network were counted, so that a test need not send them. */
  const countedFrom = async (network: string, failures: number) => {
    const { numUpdatedRows } = await transaction((trx) =>
      trx
        .updateTable('sign_in_failures')
        .set({ failures })
        .where('key', '=', `password * ${network}`)
        .executeTakeFirst(),
    )
    expect(numUpdatedRows).toBe(1n)
  }

  test('IPv6 clients are also counted by their /56 and /48: 60 and 120 wrong passwords', async () => {
    const from = newPlace()
    const stem = from.replace(':1::1', '')
    await spray(nearBy(from, 'aa01'), 1)
    await countedFrom(`${stem}:aa00::/56`, 58)
    await spray(nearBy(from, 'aa02'), 1)
    await spray(nearBy(from, 'aa03'), 1)
    const user = await newUser()
    expect((await login(user, nearBy(from, 'aa04'))).status).toBe(429)
    expect((await login(user, nearBy(from, 'ab01'))).status).toBe(200)
    await countedFrom(`${stem}::/48`, 118)
    await spray(nearBy(from, 'ac01'), 1)
    await spray(nearBy(from, 'ad01'), 1)
    expect((await login(await newUser(), nearBy(from, 'ae01'))).status).toBe(429)
    expect((await login(await newUser(), newPlace())).status).toBe(200)
  })

  test('users who signed in from the /48 are exempt from its wait, and from no narrower one', async () => {
    const from = newPlace()
    const [owner, newcomer] = [await newUser(), await newUser()]
    expect((await login(owner, nearBy(from, 'aa01'))).status).toBe(200)
    await spray(nearBy(from, 'bb01'), 1)
    await countedFrom(`${from.replace(':1::1', '')}::/48`, 119)
    await spray(nearBy(from, 'bb02'), 1)
    expect((await login(newcomer, nearBy(from, 'cc01'))).status).toBe(429)
    expect((await login(owner, nearBy(from, 'cc01'))).status).toBe(200)
    expect((await login(wrong(owner), nearBy(from, 'cc01'))).status).toBe(429)
    await countedFrom(`${from.replace(':1::1', '')}:bb00::/56`, 59)
    await transaction((trx) => trx.deleteFrom('sign_in_failures').where('key', 'like', '%/48').execute())
    await spray(nearBy(from, 'bb03'), 1)
    expect((await login(owner, nearBy(from, 'bb04'))).status).toBe(429)
    later(31 * DAY)
    await spray(nearBy(from, 'dd01'), 1)
    await countedFrom(`${from.replace(':1::1', '')}::/48`, 119)
    await spray(nearBy(from, 'dd02'), 1)
    expect((await login(owner, nearBy(from, 'aa01'))).status).toBe(429)
  })

  test('over parallel connections exactly thirty are checked', async () => {
    const from = newPlace()
    await spray(from, 25)
    const statuses = await statusesOf((await sprayed()).map((user) => login(wrong(user), from)))
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([5, 25])
  })

  test('at every operation that takes a password', async () => {
    const [from, user] = [newPlace(), await newUser()]
    await spray(from)
    for (const { method, path, kind } of swept(await operations(user.id))) {
      if (kind === 'open') continue
      const answer = await call(method, path, { as: user, from })
      expect([method, path, answer.status]).toEqual([method, path, 429])
    }
  })

  test('requests for new passwords are limited in the same way, with a separate counter', () =>
    withMailbox(async () => {
      const from = newPlace()
      const forgotten = (nick: string) =>
        call('POST', '/api/session/passwordreset', { as: null, from, body: { nick } })
      for (const _ of Array(30)) expect((await forgotten(unique('nobody'))).status).toBe(204)
      const refused = await forgotten(unique('nobody'))
      expect([refused.status, retryAfter(refused)]).toEqual([429, 30])
      expect((await login(await newUser(), from)).status).toBe(200)
      await resetsMade()
    }))
})

describe('correct passwords and codes that arrive at once', () => {
  test('fifty sign-ins of one user from a new address all succeed', async () => {
    const [user, from] = [await newUser(), newPlace()]
    await changeUser(user, { password_hash: await hashPassword(user.password) })
    const statuses = await statusesOf(Array.from({ length: 50 }, () => login(user, from)))
    expect(count(statuses, 200)).toBe(50)
  })

  test('more users than wrong passwords are allowed sign in from one new address', async () => {
    const from = newPlace()
    const users = [...(await sprayed()), await newUser()]
    const statuses = await statusesOf(users.map((user) => login(user, from)))
    expect(count(statuses, 200)).toBe(31)
  })

  test('a repeated Basic request from a known network writes nothing', async () => {
    const [user, from] = [await newUser(), newPlace()]
    expect((await login(user, from)).status).toBe(200)
    const { write, read } = database()
    const writes = vi.spyOn(write, 'transaction')
    const reads = vi.spyOn(read, 'executeQuery')
    expect((await login(user, from)).status).toBe(200)
    reads.mockClear()
    expect((await login(user, from)).status).toBe(200)
    const asked = reads.mock.calls.map(([query]) => ('sql' in query ? query.sql : ''))
    writes.mockRestore()
    reads.mockRestore()
    expect(writes).not.toHaveBeenCalled()
    expect(asked.filter((sql) => sql.includes('sign_in_failures'))).toHaveLength(1)
    expect(asked.filter((sql) => sql.includes('sign_in_places'))).toHaveLength(1)
  })

  test('places reserved by a dead process become free after ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const [user, from] = [await newUser(), '198.51.100.77']
    const nick = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(user.nick))).toString(
      'base64url',
    )
    const policy = { failures: 5, window: 60_000, firstWait: 30_000, longestWait: 900_000 }
    const counters = [{ key: `password ${nick} ${from}`, policy, clears: true }]
    for (const _ of Array(5)) await takePlaces(counters)
    expect(await takePlaces(counters)).toBe('full')
    later(11)
    expect((await login(user, from)).status).toBe(200)
    vi.useRealTimers()
  })
})

describe.runIf(hasItsDay(2))('a flood of events', () => {
  let days = 0

  const strangers = async () =>
    database()
      .read.selectFrom('events')
      .where('action', '=', 'sign-in-refused')
      .where('entity_name', '=', '')
      .where('timestamp', '>=', Date.now() - 3600_000)
      .select(['id', 'changes', 'ip'])
      .orderBy('id')
      .execute()

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    // Each test gets a day of its own, apart from the events of other tests, and the start of a minute.
    days += 1
    later(days * DAY)
    vi.setSystemTime(Math.ceil(Date.now() / 60_000) * 60_000)
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const stranger = (): User => ({ nick: unique('nobody'), password: 'Summer 2026!' })

  test('100 attempts at unknown nicks from one address leave one event with their count', async () => {
    const from = newPlace()
    await together(Array.from({ length: 100 }, stranger), (user) => login(user, from))
    const events = await strangers()
    expect(events.map(({ changes }) => JSON.parse(changes))).toEqual([
      { reason: { after: 'unknown' }, count: { after: '30' } },
    ])
    later(61)
    await login(stranger(), from)
    expect((await strangers()).map(({ changes }) => JSON.parse(changes).count?.after)).toEqual([
      '30',
      undefined,
    ])
  })

  test('attempts are counted in a new event once the event is closed for its seal', async () => {
    const from = newPlace()
    for (const _ of Array(3)) await login(stranger(), from)
    await closeEvent((await strangers())[0]?.id ?? 0)
    for (const _ of Array(2)) await login(stranger(), from)
    expect((await strangers()).map(({ changes }) => JSON.parse(changes).count?.after)).toEqual(['3', '2'])
  })

  test('from 25 addresses they leave 21 events a minute, the last of which counts all further addresses', async () => {
    for (const from of places(25)) await login(stranger(), from)
    const events = await strangers()
    expect(events).toHaveLength(21)
    expect(events.at(-1)).toMatchObject({ ip: '*' })
    expect(JSON.parse(events.at(-1)?.changes ?? '')).toMatchObject({ count: { after: '5' } })
  })

  test('an existing nick leaves no event while it has to wait', async () => {
    const [user, from] = [await newUser(), newPlace()]
    for (const _ of Array(20)) await login(wrong(user), from)
    const path = `/api/events?action=sign-in-refused&entity=user&entityid=${user.id}`
    expect((await expectStatus(200, call('GET', path))).totalSize).toBe(5)
  })

  test('the list of events shows the number of attempts at unknown nicks', async () => {
    const from = newPlace()
    for (const _ of Array(3)) await login({ nick: unique('nobody'), password: 'Summer 2026!' }, from)
    const path = '/api/events?action=sign-in-refused&by=id&asc=false&limit=1'
    const { collection } = await expectStatus(200, call('GET', path))
    expect(collection[0]).toMatchObject({ entityName: '', ip: from, changes: { count: { after: '3' } } })
  })
})
