import { describe, expect, test } from 'vitest'
import { newBrowser } from '#lib/tools/testing/browser'
import { call, expectStatus, ORIGIN } from '#lib/tools/testing/client'
import {
  loginPath,
  newProvider,
  passProvider,
  problemAt,
  providerOfFile,
  signInThere,
} from '#lib/tools/testing/oidc'
import { cookiesOf } from '#lib/tools/testing/session'

const there = await providerOfFile()

describe('a good sign-in', () => {
  test('leads to a session of the console, and to where the user was going', () =>
    there.on(async () => {
      const person = await there.newPerson()
      const { browser, url } = await signInThere(person, { returnTo: '/scopes?has=x#top' })
      expect(url.href).toBe(`${ORIGIN}/scopes?has=x#top`)
      expect(await expectStatus(200, browser.send('/api/session'))).toMatchObject({ nick: person.nick })
      expect(browser.cookiesFor('/').map(({ name }) => name)).toEqual(['console'])
    }))

  test('is an event, and one of the sessions of the user', () =>
    there.on(async () => {
      const person = await there.newPerson()
      const { browser } = await signInThere(person)
      const { collection } = await expectStatus(200, browser.send(`/api/events?user=${person.id}`))
      expect(collection).toMatchObject([{ action: 'sign-in', changes: { factors: { after: 'OPENID' } } }])
      expect((await expectStatus(200, browser.send('/api/session/sessions'))).totalSize).toBe(1)
    }))

  test('ends the previous session of the browser, whatever its user', () =>
    there.on(async () => {
      const [first, second] = [await there.newPerson(), await there.newPerson()]
      const { browser } = await signInThere(first)
      const [before] = browser.cookiesFor('/')
      const again = await browser.open(`${loginPath()}?prompt=login`)
      await passProvider(browser, again, second.nick)
      expect(await expectStatus(200, browser.send('/api/session'))).toMatchObject({ nick: second.nick })
      const headers = { cookie: `${before?.name}=${before?.value}` }
      await expectStatus(204, call('GET', '/api/session', { as: null, headers }))
    }))

  test('asks by the code flow, with PKCE, state and nonce, bound to the browser by a cookie', () =>
    there.on(async () => {
      const response = await call('GET', '/api/auth/oidc/login', { as: null })
      const to = new URL(response.headers.get('location') ?? '')
      expect([response.status, to.origin]).toEqual([303, there.issuer])
      expect(Object.fromEntries(to.searchParams)).toEqual({
        response_type: 'code',
        client_id: 'console',
        redirect_uri: `${ORIGIN}/api/auth/oidc/callback`,
        scope: 'openid profile email',
        state: expect.stringMatching(/^[\w-]{32}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
      })
      const [cookie = ''] = response.headers.getSetCookie()
      expect(cookie).toMatch(/^oidc-[\w-]{16}=[\w-]{32}; Expires=.*; Path=\/; HttpOnly; SameSite=Lax$/)
    }))

  test('behind https has a cookie that no sister site can set', () =>
    there.on(
      async () => {
        const response = await call('GET', '/api/auth/oidc/login', { as: null })
        const [name = '', cookie] = Object.entries(cookiesOf(response))[0] ?? []
        expect(name).toMatch(/^__Host-oidc-/)
        expect(cookie).toMatch(/; Path=\/; .*; Secure$/)
      },
      { BASE_URL: 'https://console.example' },
    ))

  test('asks the user before it gets a refresh token that lasts', () =>
    there.on(
      async () => {
        const response = await call('GET', '/api/auth/oidc/login', { as: null })
        const { searchParams } = new URL(response.headers.get('location') ?? '')
        expect([searchParams.get('scope'), searchParams.get('prompt')]).toEqual([
          'openid profile offline_access',
          'consent',
        ])
      },
      { OIDC_SCOPES: 'profile offline_access' },
    ))

  test('in several tabs of one browser at a time', () =>
    there.on(async () => {
      const person = await there.newPerson()
      const browser = newBrowser()
      const first = await browser.open(loginPath('/first'))
      const second = await browser.open(loginPath('/second'))
      expect((await passProvider(browser, second, person.nick)).url.pathname).toBe('/second')
      expect((await passProvider(browser, first, person.nick)).url.pathname).toBe('/first')
    }))

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/%09/evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/./\\evil.example',
    '/.//evil.example/',
    '\\\\evil.example',
    ' /x',
  ])('never leads off the site: %j', (returnTo) =>
    there.on(async () => {
      const { url } = await signInThere(await there.newPerson(), { returnTo })
      expect(url.origin).toBe(ORIGIN)
      expect(url.pathname).not.toMatch(/^\/[/\\]/)
    }),
  )
})

describe('a provider that is down', () => {
  test('leads to the sign-in page, and is found back without a restart', async () => {
    const other = await newProvider()
    await other.on(async () => {
      const person = await other.newPerson()
      await signInThere(person)
      await other.goDown()
      const { url } = await newBrowser().open(loginPath('/scopes'))
      expect(problemAt(url)).toEqual(['/sign-in', 'unreachable', '/scopes'])
      await other.comeBack()
      expect((await signInThere(person, { returnTo: '/scopes' })).url.pathname).toBe('/scopes')
      await other.goDown()
    })
  })

  test('from the beginning is found as soon as it is there', async () => {
    const other = await newProvider()
    await other.goDown()
    await other.on(async () => {
      expect(problemAt((await newBrowser().open(loginPath())).url)[1]).toBe('unreachable')
      await other.comeBack()
      expect((await signInThere(await other.newPerson())).url.pathname).toBe('/')
    })
    await other.goDown()
  })

  test('on the way back leads to the sign-in page', async () => {
    const other = await newProvider()
    await other.on(async () => {
      const browser = newBrowser()
      const login = await browser.send(loginPath('/scopes'))
      const state = new URL(login.headers.get('location') ?? '').searchParams.get('state') ?? ''
      await other.goDown()
      const query = new URLSearchParams({ state, code: 'x', iss: other.issuer })
      const { url } = await browser.open(`/api/auth/oidc/callback?${query}`)
      expect(problemAt(url)).toEqual(['/sign-in', 'unreachable', '/scopes'])
    })
  })

  test('that names another issuer than the settings is not trusted', () =>
    there.on(
      async () => {
        expect(problemAt((await newBrowser().open(loginPath())).url)[1]).toBe('unreachable')
      },
      { OIDC_ISSUER: there.issuer.replace('127.0.0.1', 'localhost') },
    ))
})

test('without OpenID Connect its addresses lead to the sign-in page', async () => {
  const browser = newBrowser()
  expect(problemAt((await browser.open(loginPath('/scopes'))).url)).toEqual([
    '/sign-in',
    'refused',
    '/scopes',
  ])
  expect(problemAt((await browser.open('/api/auth/oidc/callback?state=x&code=y')).url)[1]).toBe('expired')
})
