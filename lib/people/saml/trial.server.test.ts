import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, newBrowser } from '#lib/tools/testing/browser'
import { expectStatus, unique } from '#lib/tools/testing/client'
import { type AtIdp, newIdpServer, passIdp, signInThere } from '#lib/tools/testing/saml'

let there: AtIdp

beforeAll(async () => {
  there = await newIdpServer()
})
afterAll(() => there.goDown())

const trialPath = '/api/auth/saml/login?trial=1'

/** Tries the sign-in out as this account. Gives the page that it ends on. */
const tryAs = async (browser: Browser, nick: string): Promise<URL> =>
  (await passIdp(browser, trialPath, nick)).url

const trialAt = (browser: Browser, url: URL) => {
  expect(url.pathname).toBe('/settings')
  return expectStatus(200, browser.send(`/api/config/signin/trial?id=${url.searchParams.get('trial')}`))
}

test('a trial shows attributes and the user, known or not, and keeps the current session', () =>
  there.on(
    async () => {
      const self = await there.newPerson()
      const { browser } = await signInThere(self)
      const nobody = unique('nobody').replace(' ', '-')
      there.accounts.set(nobody, { email: 'nobody@example.test' })
      const known = await trialAt(browser, await tryAs(browser, self.nick))
      expect(known).toMatchObject({ provider: 'SAML', outcome: 'known', user: { nick: self.nick } })
      const unknown = await trialAt(browser, await tryAs(browser, nobody))
      expect(unknown).toMatchObject({
        outcome: 'unknown-user',
        user: { nick: nobody, email: 'nobody@example.test' },
      })
      expect(unknown.attributes).toEqual(
        expect.arrayContaining([
          { name: 'NameID', value: nobody },
          { name: 'email', value: 'nobody@example.test' },
        ]),
      )
      expect((await expectStatus(200, browser.send('/api/session'))).nick).toBe(self.nick)
    },
    { SAML_EMAIL_ATTRIBUTE: 'email' },
  ))

test('an assertion that lacks the nick is shown, with the reason', () =>
  there.on(async () => {
    const self = await there.newPerson()
    const { browser } = await signInThere(self)
    const trial = await there.on(async () => trialAt(browser, await tryAs(browser, self.nick)), {
      SAML_NICK_ATTRIBUTE: 'uid',
    })
    expect(trial).toMatchObject({
      outcome: 'invalid',
      reason: 'the assertion lacks the attribute of the nick',
      attributes: expect.arrayContaining([{ name: 'NameID', value: self.nick }]),
    })
  }))

test('a trial needs a session', () =>
  there.on(async () => {
    const { url } = await newBrowser().open(trialPath)
    expect([url.pathname, url.searchParams.get('problem')]).toEqual(['/sign-in', 'refused'])
  }))
