import { afterEach, describe, expect, test, vi } from 'vitest'
import { removeExpiredAccessTokens } from '#lib/caller/auth/access-tokens.server'
import { remindOfEndingTokens } from '#lib/people/access-tokens/reminders.server'
import { newAccessToken, newServiceAccount, tokensOf } from '#lib/tools/testing/access-tokens'
import { call, expectStatus, newUser } from '#lib/tools/testing/client'
import { newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { changeUser } from '#lib/tools/testing/session'

const DAY = 24 * 60 * 60 * 1000

/** Sets the clock forward. Only the date is fake: timers run on. */
const forward = (days: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * DAY })

afterEach(() => {
  vi.useRealTimers()
})

describe('the mail about the end of an access token', () => {
  test('is sent a week before, once, in the user’s language', () =>
    withMailbox(async ({ of }) => {
      const email = newAddress()
      const user = await newUser({ email, locale: 'es_ES' })
      const { name } = await newAccessToken(user)
      await newAccessToken(user, { name: 'short', expires: new Date(Date.now() + 6 * DAY).toISOString() })
      const sent = async () => {
        await remindOfEndingTokens()
        return (await of(email)).map(({ subject }) => subject)
      }
      forward(82)
      expect(await sent()).toEqual([])
      forward(1.1)
      await Promise.all([remindOfEndingTokens(), remindOfEndingTokens()])
      const subject = `El token de acceso ${name} caduca pronto`
      expect(await sent()).toEqual([subject])
      expect(await sent()).toEqual([subject])
      expect((await of(email))[0]?.text).toContain(user.nick)
    }))

  test('of a service account goes to its own address, or else to the maker of the token', () =>
    withMailbox(async ({ of }) => {
      const [team, maker] = [newAddress(), newAddress()]
      const addressed = await newServiceAccount({ fields: { email: team } })
      await newAccessToken({ ...addressed.account, password: '' }, { name: 'one' }, addressed.manager)
      const silent = await newServiceAccount()
      await changeUser(silent.manager, { email: maker })
      await newAccessToken({ ...silent.account, password: '' }, { name: 'two' }, silent.manager)
      forward(84)
      await remindOfEndingTokens()
      for (const [address, name] of [
        [team, 'one'],
        [maker, 'two'],
      ] as const)
        expect((await of(address)).map(({ subject }) => subject)).toEqual([
          `The access token ${name} ends soon`,
        ])
    }))
})

test('an expired access token stays in the list for 30 days', async () => {
  const user = await newUser()
  await newAccessToken(user)
  const total = async (query = '') =>
    (await expectStatus(200, call('GET', tokensOf(user) + query, { as: user }))).totalSize
  forward(119)
  await removeExpiredAccessTokens()
  expect([await total(), await total('?expired=true'), await total('?expired=false')]).toEqual([1, 1, 0])
  forward(1.1)
  await removeExpiredAccessTokens()
  expect(await total()).toBe(0)
})
