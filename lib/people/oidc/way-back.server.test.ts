import { expect, test } from 'vitest'
import { type Browser, newBrowser } from '#lib/tools/testing/browser'
import { call } from '#lib/tools/testing/client'
import { expectNobody, loginPath, passProvider, problemAt, providerOfFile } from '#lib/tools/testing/oidc'
import { cookiesOf } from '#lib/tools/testing/session'

const there = await providerOfFile()

/** A browser whose user has signed in at the provider, and the address that it is led back to, before it goes there. */
async function ledBack(): Promise<{ browser: Browser; back: URL }> {
  const { nick } = await there.newPerson()
  const browser = newBrowser({ stopAt: '/api/auth/oidc/callback' })
  const page = await browser.open(loginPath('/scopes'))
  return { browser, back: (await passProvider(browser, page, nick)).url }
}

test('the way back with the state of another browser is refused, and does not spoil the sign-in of that one', () =>
  there.on(async () => {
    const { browser, back } = await ledBack()
    const stranger = newBrowser()
    expect(problemAt((await stranger.open(back)).url)).toEqual(['/sign-in', 'expired', '/'])
    await expectNobody(stranger)
    expect((await browser.open(back)).url.pathname).toBe('/scopes')
  }))

test('the way back with a cookie of another sign-in is refused', () =>
  there.on(async () => {
    const { browser, back } = await ledBack()
    const name = browser.cookiesFor(back).find((cookie) => cookie.name.startsWith('oidc-'))?.name
    const cookie = `${name}=${'x'.repeat(32)}`
    const response = await call('GET', back.href, { as: null, headers: { cookie } })
    expect(problemAt(new URL(response.headers.get('location') ?? ''))[1]).toBe('expired')
  }))

test('the way back is open once', () =>
  there.on(async () => {
    const { browser, back } = await ledBack()
    const [cookie] = browser.cookiesFor(back).map(({ name, value }) => `${name}=${value}`)
    expect((await browser.open(back)).url.pathname).toBe('/scopes')
    const again = await call('GET', back.href, { as: null, headers: { cookie: cookie ?? '' } })
    expect(problemAt(new URL(again.headers.get('location') ?? ''))[1]).toBe('expired')
    expect(cookiesOf(again)).not.toHaveProperty('console')
  }))

test.each([
  ['a wrong state', (url: URL) => url.searchParams.set('state', 'x'), 'expired'],
  ['no state', (url: URL) => url.searchParams.delete('state'), 'expired'],
  ['two states', (url: URL) => url.searchParams.append('state', 'x'), 'invalid'],
  ['a wrong code', (url: URL) => url.searchParams.set('code', 'x'), 'refused'],
  ['no code', (url: URL) => url.searchParams.delete('code'), 'invalid'],
  [
    'the issuer of another provider',
    (url: URL) => url.searchParams.set('iss', 'https://x.example'),
    'invalid',
  ],
])('the way back with %s is refused', (_what, change, problem) =>
  there.on(async () => {
    const { browser, back } = await ledBack()
    change(back)
    const { url } = await browser.open(back)
    expect(problemAt(url)).toEqual(['/sign-in', problem, problem === 'expired' ? '/' : '/scopes'])
    expect(url.searchParams.get('request')).toMatch(/^[\w-]{36}$/)
    await expectNobody(browser)
  }),
)

test('the way back after the user refused there', () =>
  there.on(async () => {
    const browser = newBrowser()
    const page = await browser.open(loginPath('/scopes'))
    const { url } = await browser.open(`${page.url.href}/abort`)
    expect(problemAt(url)).toEqual(['/sign-in', 'refused', '/scopes'])
  }))
