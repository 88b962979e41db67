import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { type Browser, newBrowser } from '#lib/tools/testing/browser'
import { expectStatus, ORIGIN, type User } from '#lib/tools/testing/client'
import { type AtProvider, expectNobody, newProvider, passProvider, problemAt } from '#lib/tools/testing/oidc'
import { type AtIdp, newIdpServer, passIdp } from '#lib/tools/testing/saml'
import { withSettings } from '#lib/tools/testing/session'

/*
 * Login CSRF and session fixation: one browser begins a sign-in at a provider, another one completes it. Then the victim would use
 * the attacker's account, or the attacker the victim's.
 */

let provider: AtProvider
let idp: AtIdp

beforeAll(async () => {
  provider = await newProvider()
  idp = await newIdpServer()
})
afterAll(() => Promise.all([provider.goDown(), idp.goDown()]))

const flows = {
  '/api/auth/oidc/login': {
    there: () => provider,
    end: '/api/auth/oidc/callback',
    pass: async (browser: Browser, path: string, nick: string) =>
      (await passProvider(browser, await browser.open(path), nick)).url,
  },
  '/api/auth/saml/login': {
    there: () => idp,
    end: '/api/auth/saml/finish',
    pass: async (browser: Browser, path: string, nick: string) => (await passIdp(browser, path, nick)).url,
  },
}

test('every address at which a sign-in begins is tested here', async () => {
  const begins = (await loadRoutes())
    .map(({ path }) => path)
    .filter((path) => /^\/api\/auth\/.*login/.test(path))
  expect(begins.sort()).toEqual(Object.keys(flows).sort())
})

const https = { BASE_URL: ORIGIN.replace('http:', 'https:') }

describe.each(Object.entries(flows))('%s', (login, { there, end, pass }) => {
  /** A browser after the sign-in at the provider, and the address of the pending redirect back. */
  async function begun(
    nick: string,
    { path = `${login}?returnTo=/scopes`, browser = newBrowser({ stopAt: end }) } = {},
  ) {
    const back = await pass(browser, path, nick)
    expect(back.pathname).toBe(end)
    return { browser, back }
  }

  const signedIn = async (person: User) => {
    const { browser, back } = await begun(person.nick)
    await browser.open(back)
    return browser
  }

  const flowCookie = (browser: Browser) => {
    const found = browser.cookiesFor('/').find(({ name }) => /^(__Host-)?(oidc|saml)-/.test(name))
    if (!found) throw new Error('the browser holds no cookie of a flow')
    return found
  }

  const expectRefused = async (browser: Browser, back: URL, cookie?: string) => {
    const response = await browser.send(back, cookie === undefined ? {} : { headers: { cookie } })
    const location = new URL(response.headers.get('location') ?? '')
    expect([response.status, ...problemAt(location)]).toEqual([303, '/sign-in', 'expired', '/'])
    expect(response.headers.getSetCookie().join()).not.toMatch(/console=/)
    await expectNobody(browser)
  }

  test('login CSRF: a victim’s browser cannot complete the attacker’s sign-in', () =>
    there().on(async () => {
      const attacker = await begun((await there().newPerson()).nick)
      const victim = newBrowser()
      await expectRefused(victim, attacker.back)
      // The attacker's own sign-in still works.
      expect((await attacker.browser.open(attacker.back)).url.pathname).toBe('/scopes')
    }))

  test('login CSRF: the same holds if the victim also began a sign-in', () =>
    there().on(async () => {
      const attacker = await begun((await there().newPerson()).nick)
      const victim = await begun((await there().newPerson()).nick)
      await expectRefused(victim.browser, attacker.back)
      expect((await victim.browser.open(victim.back)).url.pathname).toBe('/scopes')
    }))

  test('the cookie of another flow, renamed to this one, is refused', () =>
    there().on(async () => {
      const one = await begun((await there().newPerson()).nick)
      const other = await begun((await there().newPerson()).nick)
      const { name } = flowCookie(one.browser)
      await expectRefused(newBrowser(), one.back, `${name}=${flowCookie(other.browser).value}`)
    }))

  test('cookie tossing: a sister site cannot smuggle the cookie into its own one behind a comma', () =>
    there().on(async () => {
      const attacker = await begun((await there().newPerson()).nick)
      const { name, value } = flowCookie(attacker.browser)
      for (const separator of [',', ', ', '", ', ' '])
        await expectRefused(newBrowser(), attacker.back, `theme=dark${separator}${name}=${value}`)
      expect((await attacker.browser.open(attacker.back)).url.pathname).toBe('/scopes')
    }))

  test('a sign-in can be completed once', () =>
    there().on(async () => {
      const { browser, back } = await begun((await there().newPerson()).nick)
      const { name, value } = flowCookie(browser)
      expect((await browser.open(back)).url.pathname).toBe('/scopes')
      expect(browser.cookiesFor('/').map((cookie) => cookie.name)).toEqual(['console'])
      await expectRefused(newBrowser(), back, `${name}=${value}`)
    }))

  test('a trial: the attacker who began it does not see the victim’s data', () =>
    there().on(async () => {
      const attacker = await signedIn(await there().newPerson())
      const trial = await begun((await there().newPerson()).nick, {
        path: `${login}?trial=1`,
        browser: attacker,
      })
      await expectRefused(newBrowser(), trial.back)
      const shown = (await attacker.open(trial.back)).url
      expect(shown.pathname).toBe('/settings')
      const id = shown.searchParams.get('trial')
      await expectStatus(200, attacker.send(`/api/config/signin/trial?id=${id}`))
    }))

  test.each(['cross-site', 'same-site'])(
    'silent sign-in: a link or an image of another site (%s) leads to the sign-in page, and begins nothing',
    (site) =>
      there().on(async () => {
        const headers = { 'sec-fetch-site': site }
        const response = await newBrowser().send(`${login}?returnTo=/scopes`, { headers })
        expect(response.headers.get('location')).toBe(`${ORIGIN}/sign-in?returnTo=%2Fscopes`)
        expect([response.status, response.headers.getSetCookie()]).toEqual([303, []])
      }),
  )

  test.each(['same-origin', 'none'])(
    'a sign-in that the user started (%s) continues to the provider',
    (site) =>
      there().on(async () => {
        const response = await newBrowser().send(login, { headers: { 'sec-fetch-site': site } })
        expect(response.headers.get('location')).not.toMatch(new RegExp(`^${ORIGIN}`))
        expect(response.headers.getSetCookie()).toHaveLength(1)
      }),
  )

  test('several tabs of one browser at a time, in any order', () =>
    there().on(async () => {
      const { nick } = await there().newPerson()
      const browser = newBrowser({ stopAt: end })
      const first = await begun(nick, { browser, path: `${login}?returnTo=/first` })
      const second = await begun(nick, { browser, path: `${login}?returnTo=/second` })
      expect((await browser.open(second.back)).url.pathname).toBe('/second')
      expect((await browser.open(first.back)).url.pathname).toBe('/first')
    }))

  test('over https the cookie has a name that no sister site can set', () =>
    withSettings(https, () =>
      there().on(async () => {
        const browser = newBrowser()
        const response = await browser.send(login)
        const [cookie] = response.headers.getSetCookie()
        expect(cookie).toMatch(
          /^__Host-\w+-[\w-]{16}=[\w-]{32}; .*; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
        )
      }),
    ))

  test('abandoned sign-ins do not fill the Cookie header', () =>
    there().on(async () => {
      const browser = newBrowser()
      for (let begins = 0; begins < 35; begins += 1) await browser.send(login)
      expect(browser.cookiesFor('/').length).toBeLessThanOrEqual(30)
    }))
})
