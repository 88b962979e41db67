import { afterEach, describe, expect, test, vi } from 'vitest'
import { resetsMade } from '#lib/request/entrance/password-resets.server'
import { call, newUser, type User, unique } from '#lib/tools/testing/client'
import { enrolled, withCode } from '#lib/tools/testing/enrolled'
import { withoutHashes } from '#lib/tools/testing/hashes'
import { newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { changeUser } from '#lib/tools/testing/session'
import { codeOf } from '#lib/tools/testing/totp'

/* Each test is named after its attack. */

afterEach(() => {
  vi.useRealTimers()
})

const login = (as: User, headers: Record<string, string> = {}) => call('GET', '/api/login', { as, headers })

const signIn = ({ nick, password }: User, headers: Record<string, string> = {}) =>
  call('POST', '/api/session', { as: null, body: { nick, password }, headers })

describe('user enumeration', () => {
  /** The response without the parts that differ in every response. */
  const shown = async (response: Response) => {
    const headers = [...response.headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
    return { status: response.status, headers, body: await response.text() }
  }
  const unknown = (): User => ({ nick: unique('nobody'), password: 'a password of nobody' })

  test('by text: an unknown nick, a wrong password, a locked and a disabled user get the same response', async () => {
    const [wrong, locked, inactive] = [await newUser(), await newUser(), await newUser()]
    await changeUser(locked, { locked: 1 })
    await changeUser(inactive, { active: 0 })
    for (const ask of [login, signIn]) {
      const reference = await shown(await ask(unknown()))
      for (const user of [{ ...wrong, password: 'wrong' }, locked, inactive])
        expect(await shown(await ask(user))).toEqual(reference)
    }
  })

  test('by the wait: an unknown nick has to wait like an existing one', async () => {
    for (const user of [{ ...(await newUser()), password: 'wrong' }, unknown()]) {
      const statuses: number[] = []
      for (let index = 0; index < 6; index += 1) statuses.push((await login(user)).status)
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    }
  })

  test('by a forgotten password: the answer is the same for an unknown nick', () =>
    withMailbox(async () => {
      const ask = (nick: string) => call('POST', '/api/session/passwordreset', { as: null, body: { nick } })
      const user = await newUser({ email: newAddress() })
      expect(await shown(await ask(user.nick))).toEqual(await shown(await ask(unique('nobody'))))
      await resetsMade()
    }))

  test('by time: an unknown nick takes a hash like a wrong password', async () => {
    const known = { ...(await newUser()), password: unique('wrong') }
    const statuses = await withoutHashes(async () => [
      (await login(known)).status,
      (await login(unknown())).status,
    ])
    expect(statuses).toEqual([503, 503])
  })
})

test('code replay: an authenticator code works only once, for any purpose', async () => {
  const { user, path, secret, token } = await enrolled()
  const code = codeOf(secret)
  expect((await withCode(user, code)).status).toBe(200)
  const headers = { authorization: `Token ${token}`, 'x-service-otp': code }
  expect((await withCode(user, code)).status).toBe(401)
  expect((await call('POST', `${path}/disable2fa`, { as: null, headers })).status).toBe(401)
  expect((await call('POST', `${path}/scratchcodes`, { as: null, headers })).status).toBe(401)
})

test('code replay in a race: one of many requests with the same code succeeds', async () => {
  const { user, secret } = await enrolled()
  const code = codeOf(secret)
  const answers = await Promise.all(Array.from({ length: 8 }, () => withCode(user, code)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('code brute force over parallel connections: only five are checked', async () => {
  const { user, secret } = await enrolled()
  const right = codeOf(secret)
  const guesses = Array.from({ length: 60 }, (_, index) => String(100_000 + index)).filter(
    (code) => code !== right,
  )
  const answers = await Promise.all([...guesses, right].map((code) => withCode(user, code)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(guesses.length + 1 - 5)
})

test('password brute force over parallel connections: only five are checked', async () => {
  const user = await newUser()
  const guesses = Array.from({ length: 40 }, (_, index) => ({ ...user, password: `guess ${index}` }))
  const statuses = (await Promise.all([...guesses, user].map((guess) => login(guess)))).map(
    ({ status }) => status,
  )
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses).not.toContain(200)
})

test('scratch code reuse in a race: one of many requests with the same code succeeds', async () => {
  const { user, scratchCodes } = await enrolled()
  const [code = ''] = scratchCodes
  const answers = await Promise.all(Array.from({ length: 8 }, () => withCode(user, code)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await withCode(user, code)).status).not.toBe(200)
})
