import { describe, expect, test } from 'vitest'
import type { Env } from '#lib/ground/env.server'
import { call, expectStatus, newEnterprise, newUser, unique } from '#lib/tools/testing/client'
import {
  expectNobody,
  loginPath,
  passProvider,
  problemAt,
  providerOfFile,
  signInThere,
} from '#lib/tools/testing/oidc'
import { changeUser, rowOf } from '#lib/tools/testing/session'

const there = await providerOfFile()

const account = (nick: string, claims: object = {}) => {
  there.accounts.set(nick, { preferred_username: nick, ...claims })
  return { nick }
}

test('an unknown user is not let in', () =>
  there.on(async () => {
    const { browser, url } = await signInThere(account(unique('nobody')))
    expect(problemAt(url)).toEqual(['/sign-in', 'unknown-user', '/'])
    await expectNobody(browser)
  }))

test.each([{ active: 0 as const }, { locked: 1 as const }, { allowed_cidrs: '["10.0.0.0/8"]' }])(
  'a user who may not sign in is not let in, and that is an event: %j',
  async (columns) => {
    const person = await there.newPerson()
    await changeUser(person, columns)
    await there.on(async () => {
      const { browser, url } = await signInThere(person)
      expect(problemAt(url)).toEqual(['/sign-in', 'inactive-user', '/'])
      await expectNobody(browser)
    })
    const { collection } = await expectStatus(200, call('GET', `/api/events?user=${person.id}`))
    expect(collection.map(({ action }: { action: string }) => action)).toEqual(['sign-in-refused'])
  },
)

test('the provider names another user after a new sign-in there', () =>
  there.on(async () => {
    const person = await there.newPerson()
    const { browser } = await signInThere(account(unique('nobody')))
    expect((await browser.open(loginPath())).url.searchParams.get('problem')).toBe('unknown-user')
    const page = await browser.open('/api/auth/oidc/login?prompt=login&returnTo=/account')
    expect((await passProvider(browser, page, person.nick)).url.pathname).toBe('/account')
    expect(await expectStatus(200, browser.send('/api/session'))).toMatchObject({ nick: person.nick })
  }))

test('the provider names a user by another claim', () =>
  there.on(
    async () => {
      const person = await newUser()
      account('somebody', { email: person.nick })
      const { browser } = await signInThere({ nick: 'somebody' })
      expect(await expectStatus(200, browser.send('/api/session'))).toMatchObject({ nick: person.nick })
    },
    { OIDC_USER_CLAIM: 'email' },
  ))

test('an unverified address of the provider names no user', () =>
  there.on(
    async () => {
      const person = await newUser()
      for (const email_verified of [false, 'false']) {
        account('pretender', { email: person.nick, email_verified })
        expect(problemAt((await signInThere({ nick: 'pretender' })).url)[1]).toBe('invalid')
      }
    },
    { OIDC_USER_CLAIM: 'email' },
  ))

test('the provider names no user, because the claim is missing or not a text', () =>
  there.on(async () => {
    for (const preferred_username of [undefined, 7, ['admin'], '']) {
      there.accounts.set('strange', { preferred_username })
      expect(problemAt((await signInThere({ nick: 'strange' })).url)[1]).toBe('invalid')
    }
  }))

test('a user whom the provider names has no duties here: password and second factor are the business of the provider', async () => {
  const { id: enterpriseId, name } = await newEnterprise()
  const person = await there.newPerson({ enterpriseId })
  await changeUser(person, { first_login: 1 })
  await expectStatus(
    200,
    call('PUT', `/api/admin/enterprises/${enterpriseId}`, {
      body: { name, twoFactorAuthenticationMandatory: true },
    }),
  )
  await there.on(async () => {
    const { browser } = await signInThere(person)
    expect(await expectStatus(200, browser.send('/api/session'))).toMatchObject({
      mustEnableTwoFactor: false,
      mustChangePassword: false,
    })
    await expectStatus(200, browser.send('/api/admin/scopes'))
  })
})

describe('users are made', () => {
  const making = { OIDC_CREATE_USERS: true } satisfies Partial<Env>

  test('of the role and the enterprise that the claims name', () =>
    there.on(async () => {
      const enterprise = (await newEnterprise()).name
      const { nick } = account(unique('new').replace(' ', '-'), {
        given_name: 'Ada',
        family_name: 'Lovelace',
        email: 'ada@example.test',
        role: 'USER',
        enterprise,
      })
      const { browser, url } = await signInThere({ nick }, { returnTo: '/account' })
      expect(url.pathname).toBe('/account')
      const session = await expectStatus(200, browser.send('/api/session'))
      expect(session).toMatchObject({
        nick,
        name: 'Ada',
        surname: 'Lovelace',
        email: 'ada@example.test',
        role: { name: 'USER' },
        enterprise: { name: enterprise },
      })
      expect(await rowOf({ nick, password: '' })).toMatchObject({ auth_type: 'OPENID', first_login: 0 })
    }, making))

  test('by claims that lie deeper, and the first of a list', () =>
    there.on(
      async () => {
        const enterprise = (await newEnterprise()).name
        const { nick } = account(unique('deep'), { role: { roles: ['USER'] }, enterprise: [enterprise] })
        const { browser } = await signInThere({ nick })
        expect(await expectStatus(200, browser.send('/api/session'))).toMatchObject({ nick })
      },
      { ...making, OIDC_ROLE_CLAIM: 'role.roles' },
    ))

  test('not without a role or an enterprise that there is', () =>
    there.on(async () => {
      const enterprise = (await newEnterprise()).name
      for (const claims of [
        {},
        { role: 'USER' },
        { role: 'NOBODY', enterprise },
        { role: 'USER', enterprise: 'x' },
      ])
        expect(problemAt((await signInThere(account(unique('lost'), claims))).url)[1]).toBe('no-role')
    }, making))
})
