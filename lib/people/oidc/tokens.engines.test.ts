import { describe, expect, test } from 'vitest'
import { database } from '#lib/db/db.server'
import type { Browser } from '#lib/tools/testing/browser'
import { call, codesOf, expectStatus, newUser, ORIGIN } from '#lib/tools/testing/client'
import { newProvider, passProvider, providerOfFile, sendForm, signInThere } from '#lib/tools/testing/oidc'

const there = await providerOfFile()

const lasting = { OIDC_SCOPES: 'openid profile email offline_access' }
const REFRESH = '/api/auth/oidc/refresh'
const LOGOUT = '/api/auth/oidc/logout'

const refresh = (form: Record<string, string> | string, type = 'application/x-www-form-urlencoded') =>
  call('POST', REFRESH, {
    as: null,
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    headers: { 'content-type': type },
  })

const rowsOf = (userId: number) =>
  database().read.selectFrom('session_providers').where('user_id', '=', userId).selectAll().execute()

describe('the tokens that came with the sign-in', () => {
  test('are shown to the user, and kept sealed', () =>
    there.on(async () => {
      const person = await there.newPerson()
      const { browser } = await signInThere(person)
      const response = await browser.send('/api/session/tokens')
      expect(response.headers.get('cache-control')).toBe('no-store')
      const tokens = await expectStatus(200, response)
      expect(tokens).toEqual({
        links: [],
        accessToken: expect.stringMatching(/^[\w-]{43}$/),
        refreshToken: expect.stringMatching(/^[\w-]{43}$/),
        expires: expect.any(String),
      })
      expect(Math.round((Date.parse(tokens.expires) - Date.now()) / 60_000)).toBe(10)
      const [row] = await rowsOf(person.id)
      expect(row).toMatchObject({ provider: 'OPENID', subject: person.nick })
      for (const token of [tokens.accessToken, tokens.refreshToken]) expect(row?.sealed).not.toContain(token)
    }, lasting))

  test('are shown to no program', () =>
    there.on(async () => {
      const { browser } = await signInThere(await there.newPerson())
      const { accessToken } = await expectStatus(200, browser.send('/api/session/tokens'))
      const headers = { authorization: `Bearer ${accessToken}` }
      const answer = await call('GET', '/api/session/tokens', { as: null, headers })
      expect([answer.status, await codesOf(answer)]).toEqual([404, ['OIDC-2']])
    }))

  test('are none after a sign-in with the password', async () => {
    const { nick, password } = await newUser()
    const signedIn = await call('POST', '/api/session', { as: null, body: { nick, password } })
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    const answer = await call('GET', '/api/session/tokens', { as: null, headers: { cookie } })
    expect([answer.status, await codesOf(answer)]).toEqual([404, ['OIDC-2']])
  })
})

describe('a refresh token', () => {
  test('is exchanged at the provider by any holder', () =>
    there.on(async () => {
      const { browser } = await signInThere(await there.newPerson())
      const { refreshToken, accessToken } = await expectStatus(200, browser.send('/api/session/tokens'))
      const response = await refresh({ refresh_token: refreshToken, grant_type: 'refresh_token' })
      expect(response.headers.get('content-type')).toBe('application/json')
      expect([response.headers.get('cache-control'), response.headers.get('pragma')]).toEqual([
        'no-store',
        'no-cache',
      ])
      const answer = await expectStatus(200, response)
      expect(answer).toMatchObject({ token_type: expect.stringMatching(/^bearer$/i), expires_in: 600 })
      expect(answer.access_token).not.toBe(accessToken)
      const headers = { authorization: `Bearer ${answer.access_token}` }
      await expectStatus(200, call('GET', '/api/login', { as: null, headers }))
    }, lasting))

  test('after an exchange by the console is stored in its session again', () =>
    there.on(async () => {
      const { browser } = await signInThere(await there.newPerson())
      const { refreshToken } = await expectStatus(200, browser.send('/api/session/tokens'))
      const answer = await expectStatus(200, browser.send(REFRESH, { form: { refresh_token: refreshToken } }))
      expect(await expectStatus(200, browser.send('/api/session/tokens'))).toMatchObject({
        accessToken: answer.access_token,
        refreshToken: answer.refresh_token ?? refreshToken,
      })
    }, lasting))

  test('of another user does not get into the session', () =>
    there.on(async () => {
      const { browser } = await signInThere(await there.newPerson())
      const { browser: other } = await signInThere(await there.newPerson())
      const before = await expectStatus(200, browser.send('/api/session/tokens'))
      const { refreshToken } = await expectStatus(200, other.send('/api/session/tokens'))
      await expectStatus(200, browser.send(REFRESH, { form: { refresh_token: refreshToken } }))
      expect(await expectStatus(200, browser.send('/api/session/tokens'))).toEqual(before)
    }, lasting))

  test('that the provider refuses is reported', () =>
    there.on(async () => {
      const answer = await refresh({ refresh_token: 'x'.repeat(43) })
      expect([answer.status, await codesOf(answer)]).toEqual([400, ['OIDC-1']])
    }))

  test.each(['', 'refresh_token=', 'refresh_token=a&refresh_token=b', 'other=x'])(
    'is needed once: %j',
    (form) =>
      there.on(async () => {
        const answer = await refresh(form)
        expect([answer.status, await codesOf(answer)]).toEqual([400, ['OIDC-0']])
      }),
  )

  test('comes in a form', () =>
    there.on(async () => {
      expect((await refresh('{"refresh_token":"x"}', 'application/json')).status).toBe(415)
    }))

  test('cannot be exchanged while the provider is down, or without one', async () => {
    expect((await refresh({ refresh_token: 'x' })).status).toBe(404)
    const other = await newProvider()
    await other.goDown()
    await other.on(async () => {
      expect((await refresh({ refresh_token: 'x' })).status).toBe(503)
    })
  })
})

/** Confirms the provider's question whether to end its session. */
const agree = async (browser: Browser, to: URL): Promise<URL> =>
  (await sendForm(browser, await browser.open(to), { logout: 'yes' })).url

describe('sign-out', () => {
  test('ends the session here and at the provider, and leads back to the sign-in page', () =>
    there.on(async () => {
      const person = await there.newPerson()
      const { browser } = await signInThere(person)
      const response = await browser.send(LOGOUT)
      const to = new URL(response.headers.get('location') ?? '')
      expect([response.status, to.origin + to.pathname]).toEqual([303, `${there.issuer}/session/end`])
      expect(Object.fromEntries(to.searchParams)).toEqual({
        client_id: 'console',
        id_token_hint: expect.stringMatching(/^eyJ/),
        post_logout_redirect_uri: `${ORIGIN}/sign-in`,
      })
      await expectStatus(204, browser.send('/api/session'))
      expect(await rowsOf(person.id)).toEqual([])
      expect((await agree(browser, to)).href).toBe(`${ORIGIN}/sign-in`)
      // The provider asks the next user to sign in.
      const { html } = await browser.open('/api/auth/oidc/login')
      expect(html).toContain('name="login"')
    }))

  test('is an event', async () => {
    const person = await there.newPerson()
    await there.on(async () => {
      const { browser } = await signInThere(person)
      await browser.send(LOGOUT)
    })
    const { collection } = await expectStatus(200, call('GET', `/api/events?user=${person.id}&by=timestamp`))
    expect(collection.map(({ action }: { action: string }) => action).sort()).toEqual(['sign-in', 'sign-out'])
  })

  test('by DELETE takes the tokens with the session', () =>
    there.on(async () => {
      const person = await there.newPerson()
      const { browser } = await signInThere(person)
      expect((await browser.send('/api/session', { method: 'DELETE' })).status).toBe(204)
      expect(await rowsOf(person.id)).toEqual([])
    }))

  test('cannot be renewed by a page of another site', () =>
    there.on(async () => {
      const { browser } = await signInThere(await there.newPerson())
      for (const site of ['cross-site', 'same-site']) {
        const response = await browser.send(LOGOUT, { headers: { 'sec-fetch-site': site } })
        expect([response.status, response.headers.get('location')]).toEqual([303, `${ORIGIN}/`])
      }
      await expectStatus(200, browser.send('/api/session'))
    }))

  test('of a session that was begun with the password, or without a session, leads to the sign-in page', async () => {
    const { nick, password } = await newUser()
    const signedIn = await call('POST', '/api/session', { as: null, body: { nick, password } })
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    await there.on(async () => {
      for (const headers of [{ cookie }, { cookie: '' }]) {
        const response = await call('GET', LOGOUT, { as: null, headers })
        expect(response.headers.get('location')).toBe(`${ORIGIN}/sign-in`)
      }
    })
    await expectStatus(204, call('GET', '/api/session', { as: null, headers: { cookie } }))
  })

  test('while the provider is down ends the session here, and leads to the sign-in page', async () => {
    const other = await newProvider()
    await other.on(async () => {
      const { browser } = await signInThere(await other.newPerson())
      await other.goDown()
      expect((await browser.send(LOGOUT)).headers.get('location')).toBe(`${ORIGIN}/sign-in`)
      await expectStatus(204, browser.send('/api/session'))
    })
  })
})

test('after a sign-out another user may sign in with the same browser', () =>
  there.on(async () => {
    const [one, other] = [await there.newPerson(), await there.newPerson()]
    const { browser } = await signInThere(one)
    await agree(browser, new URL((await browser.send(LOGOUT)).headers.get('location') ?? ''))
    const page = await browser.open('/api/auth/oidc/login')
    await passProvider(browser, page, other.nick)
    expect(await expectStatus(200, browser.send('/api/session'))).toMatchObject({ nick: other.nick })
  }))
