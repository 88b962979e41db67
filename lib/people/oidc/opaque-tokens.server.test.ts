import { afterEach, expect, test, vi } from 'vitest'
import { expectStatus, newUser, type User, unique } from '#lib/tools/testing/client'
import {
  expectRefusedBearer,
  INTROSPECTION,
  loginWithBearer,
  providerOfFile,
  signInThere,
} from '#lib/tools/testing/oidc'
import { changeUser } from '#lib/tools/testing/session'

const there = await providerOfFile()

afterEach(() => {
  vi.useRealTimers()
})

const tokensOf = async (person: User) => {
  const { browser } = await signInThere(person)
  return expectStatus(200, browser.send('/api/session/tokens'))
}

test('an opaque token is introspected, and the answer is cached briefly', () =>
  there.on(async () => {
    const person = await there.newPerson()
    const { accessToken } = await tokensOf(person)
    const before = there.asked(INTROSPECTION)
    for (let times = 0; times < 3; times += 1)
      expect(await expectStatus(200, loginWithBearer(accessToken))).toMatchObject({ nick: person.nick })
    expect(there.asked(INTROSPECTION) - before).toBe(1)
  }))

test('an opaque token that was revoked there opens nothing, at the latest half a minute after', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  await there.on(async () => {
    const { accessToken } = await tokensOf(await there.newPerson())
    await expectStatus(200, loginWithBearer(accessToken))
    const { OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = there.settings
    const credentials = [id, secret]
      .map((part) => new URLSearchParams({ '': part }).toString().slice(1))
      .join(':')
    const revoked = await fetch(`${there.issuer}/token/revocation`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
      body: new URLSearchParams({ token: accessToken }),
    })
    expect(revoked.status).toBe(200)
    vi.setSystemTime(Date.now() + 30_001)
    await expectRefusedBearer(loginWithBearer(accessToken))
  })
})

test('an opaque token whose user the provider names when it is asked about needs no more', () =>
  there.on(async () => {
    const [person, other] = [await there.newPerson(), await newUser()]
    const { accessToken } = await tokensOf(person)
    const before = there.asked('/me')
    there.alter(INTROSPECTION, () => ({
      active: true,
      sub: unique('subject'),
      preferred_username: other.nick,
    }))
    expect(await expectStatus(200, loginWithBearer(accessToken))).toMatchObject({ nick: other.nick })
    there.alter(INTROSPECTION, (answer) => answer)
    expect(there.asked('/me')).toBe(before)
  }))

test('an opaque token that is the refresh token is refused', () =>
  there.on(
    async () => {
      const { refreshToken } = await tokensOf(await there.newPerson())
      await expectRefusedBearer(loginWithBearer(refreshToken))
    },
    { OIDC_SCOPES: 'openid profile offline_access' },
  ))

test('an opaque token that the provider did not issue is refused', () =>
  there.on(async () => {
    await expectRefusedBearer(loginWithBearer('x'.repeat(43)))
    await expectRefusedBearer(loginWithBearer('a.b.c'))
  }))

test('an opaque token of an unknown user is refused, and a change to a user takes effect at once', () =>
  there.on(async () => {
    const person = await there.newPerson()
    const { accessToken } = await tokensOf(person)
    await expectStatus(200, loginWithBearer(accessToken))
    await changeUser(person, { active: 0 })
    await expectRefusedBearer(loginWithBearer(accessToken))
  }))
