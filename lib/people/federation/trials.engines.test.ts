import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { database } from '#lib/db/db.server'
import type { Env } from '#lib/ground/env.server'
import type { Browser } from '#lib/tools/testing/browser'
import { call, codesOf, expectStatus, newEnterprise, newUser, unique } from '#lib/tools/testing/client'
import { type AtProvider, newProvider, passProvider, problemAt, signInThere } from '#lib/tools/testing/oidc'
import { changeUser, rowOf } from '#lib/tools/testing/session'

let there: AtProvider

beforeAll(async () => {
  there = await newProvider()
})
afterAll(() => there.goDown())

const account = (nick: string, claims: object = {}) => {
  there.accounts.set(nick, { preferred_username: nick, ...claims })
  return { nick }
}

const trialPath = '/api/auth/oidc/login?trial=1&prompt=login'

/** Tests the sign-in with this account. Returns the final page. */
async function tryAs(browser: Browser, { nick }: { nick: string }): Promise<URL> {
  const { url } = await passProvider(browser, await browser.open(trialPath), nick)
  return url
}

const shownTo = (browser: Browser, url: URL) =>
  browser.send(`/api/config/signin/trial?id=${url.searchParams.get('trial')}`)

const whoIs = async (browser: Browser) => (await expectStatus(200, browser.send('/api/session'))).nick

/** A signed-in administrator, and the results of their trials. */
async function administrator() {
  const self = await there.newPerson()
  const { browser } = await signInThere(self)
  const trialOf = async (person: { nick: string }) => {
    const url = await tryAs(browser, person)
    expect(url.pathname).toBe('/settings')
    return expectStatus(200, shownTo(browser, url))
  }
  return { ...self, browser, trialOf }
}

test('a trial shows the provider’s data and the matching user, and changes neither session nor user', () =>
  there.on(async () => {
    const { nick, browser, trialOf } = await administrator()
    const person = await newUser()
    await changeUser(person, { auth_type: 'OPENID' })
    account(person.nick, { given_name: 'Ada', family_name: 'Lovelace', role: 'CLOUD_ADMIN' })
    const before = await rowOf(person)
    const trial = await trialOf(person)
    expect(trial).toMatchObject({
      provider: 'OPENID',
      outcome: 'followed',
      user: { nick: person.nick, name: 'Ada', surname: 'Lovelace', role: 'CLOUD_ADMIN' },
    })
    expect(trial.attributes).toContainEqual({ name: 'preferred_username', value: person.nick })
    expect(trial.attributes).toContainEqual({ name: 'iss', value: there.issuer })
    expect(await whoIs(browser)).toBe(nick)
    expect(await rowOf(person)).toEqual(before)
    const about = database().read.selectFrom('events').where('user_id', '=', person.id)
    expect(await about.select('id').execute()).toEqual([])
  }))

test('a known user stays unchanged; an unknown nick and a user who may not sign in are reported', () =>
  there.on(async () => {
    const { trialOf } = await administrator()
    const [ours, locked] = [await there.newPerson(), await there.newPerson()]
    await changeUser(locked, { locked: 1 })
    expect((await trialOf(ours)).outcome).toBe('known')
    expect((await trialOf(locked)).outcome).toBe('inactive-user')
    expect((await trialOf(account(unique('nobody')))).outcome).toBe('unknown-user')
  }))

const making: Partial<Env> = { OIDC_CREATE_USERS: true }

test('a trial does not create the user', () =>
  there.on(async () => {
    const { trialOf } = await administrator()
    const enterprise = (await newEnterprise()).name
    const newcomer = account(unique('new'), { role: 'USER', enterprise })
    expect(await trialOf(newcomer)).toMatchObject({ outcome: 'created', user: { role: 'USER', enterprise } })
    const lost = account(unique('lost'), { role: 'NOBODY', enterprise })
    expect(await trialOf(lost)).toMatchObject({ outcome: 'no-role', user: { role: 'NOBODY' } })
    for (const { nick } of [newcomer, lost])
      expect(
        await database().read.selectFrom('users').where('nick', '=', nick).select('id').executeTakeFirst(),
      ).toBeUndefined()
  }, making))

test('claims without a nick are shown, with the reason', () =>
  there.on(
    async () => {
      const self = await there.newPerson()
      there.accounts.set(self.nick, { name: self.nick })
      const { browser } = await signInThere(self)
      const url = await tryAs(browser, account(unique('nameless')))
      const trial = await expectStatus(200, shownTo(browser, url))
      expect(trial).toMatchObject({ outcome: 'invalid', reason: 'No claim names the user' })
      expect(trial).not.toHaveProperty('user')
      expect(trial.attributes).toContainEqual(expect.objectContaining({ name: 'sub' }))
    },
    { OIDC_USER_CLAIM: 'name' },
  ))

test('an unreachable provider and a refusal are shown on the same page', () =>
  there.on(async () => {
    const { nick, browser } = await administrator()
    await there.goDown()
    const down = await browser.open(trialPath)
    await there.comeBack()
    expect(await expectStatus(200, shownTo(browser, down.url))).toMatchObject({
      outcome: 'unreachable',
      attributes: [],
      reason: expect.stringContaining('ECONNREFUSED'),
    })
    const begun = await browser.send(trialPath)
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
    const query = new URLSearchParams({ error: 'access_denied', state, iss: there.issuer })
    const refused = await browser.open(`/api/auth/oidc/callback?${query}`)
    expect(await expectStatus(200, shownTo(browser, refused.url))).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('access_denied'),
    })
    expect(await whoIs(browser)).toBe(nick)
  }))

describe('a trial is for the console session that began it', () => {
  test('and is shown to no other session: neither of the same user nor of a program', async () => {
    const { url, ...self } = await there.on(async () => {
      const { browser, ...self } = await administrator()
      const url = await tryAs(browser, self)
      await expectStatus(200, shownTo(browser, url))
      await expectStatus(200, shownTo(browser, url))
      const other = await signInThere(self)
      expect(await codesOf(shownTo(other.browser, url))).toEqual(['TRIAL-0'])
      return { ...self, url }
    })
    const path = `/api/config/signin/trial?id=${url.searchParams.get('trial')}`
    expect(await codesOf(call('GET', path, { as: self }))).toEqual(['TRIAL-0'])
  })

  test.each([{ privileges: [] }, { privileges: ['SYSCONFIG_ALLOW_MODIFY' as const] }])(
    'and refuses to start one without the privilege: %j',
    ({ privileges }) =>
      there.on(async () => {
        const person = await there.newPerson({ privileges })
        const { browser } = await signInThere(person)
        const { url } = await browser.open(trialPath)
        expect(problemAt(url).slice(0, 2)).toEqual(['/sign-in', 'refused'])
        expect(await whoIs(browser)).toBe(person.nick)
      }),
  )

  test('and cannot be begun without a session', async () => {
    const begun = await there.on(() => call('GET', trialPath, { as: null }))
    expect(problemAt(new URL(begun.headers.get('location') ?? '')).slice(0, 2)).toEqual([
      '/sign-in',
      'refused',
    ])
  })

  test('and an unknown trial gets an error', async () => {
    expect(await codesOf(call('GET', '/api/config/signin/trial?id=x'))).toEqual(['TRIAL-0'])
    expect(await codesOf(call('GET', '/api/config/signin/trial'))).toEqual(['GEN-22'])
  })
})
