import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, newBrowser } from '#lib/tools/testing/browser'
import { call, expectStatus, newUser, ORIGIN, type User } from '#lib/tools/testing/client'
import {
  type AtIdp,
  answerOf,
  bring,
  deliver,
  formIn,
  goThere,
  messageIn,
  newIdpServer,
  outcomeOf,
  ownMetadata,
  signInThere,
} from '#lib/tools/testing/saml'
import { algorithms, type Leaving, newIdp, newKey, pemOf } from '#lib/tools/testing/saml-idp'
import { cookiesOf, pairOf } from '#lib/tools/testing/session'

const LOGOUT = '/api/auth/saml/logout'

let there: AtIdp

beforeAll(async () => {
  there = await newIdpServer()
})
afterAll(() => there.goDown())

const isSignedIn = async (browser: Browser) => (await browser.send('/api/session')).status === 200

describe('a user who signs out', () => {
  test('is signed out here, and there by name and session, and returns to the sign-in page', () =>
    there.on(async () => {
      const person = await there.newPerson()
      const { browser } = await signInThere(person)
      const request = await browser.send(LOGOUT)
      expect(request.status).toBe(303)
      const to = new URL(request.headers.get('location') ?? '')
      expect(messageIn(to)).toMatch(/<samlp:SessionIndex>_idp[^<]+</)
      expect(browser.cookiesFor('/')).toEqual([])
      const { url } = await browser.open(to)
      expect(url.href).toBe(`${ORIGIN}/sign-in`)
      expect(there.left).toContain(`LogoutRequest ${person.nick}`)
      expect(await isSignedIn(browser)).toBe(false)
      const again = await signInThere(person)
      const { collection } = await expectStatus(200, again.browser.send(`/api/events?user=${person.id}`))
      const actions = collection.map(({ action }: { action: string }) => action)
      expect(actions.sort()).toEqual(['sign-in', 'sign-in', 'sign-out'])
    }))

  test.each([['redirect'], ['post']] as const)(
    'by requests that are signed, at a provider that takes %s alone',
    async (binding) => {
      const strict = await newIdpServer({ takes: [binding], strict: true })
      await strict.on(
        async () => {
          const person = await strict.newPerson()
          const { browser } = await signInThere(person)
          const page = await goThere(browser, LOGOUT)
          if (binding === 'post') {
            const { action, fields } = formIn(page.html, 'Continue')
            expect((await browser.open(action, fields)).url.href).toBe(`${ORIGIN}/sign-in`)
          } else expect(page.url.href).toBe(`${ORIGIN}/sign-in`)
          expect(strict.left).toEqual([`LogoutRequest ${person.nick}`])
          expect(await isSignedIn(browser)).toBe(false)
        },
        { SAML_PRIVATE_KEY: pemOf(newKey()) },
      )
      await strict.goDown()
    },
  )

  test('whose provider has no single logout, or is out of reach, is signed out here', async () => {
    const other = await newIdpServer()
    await other.on(async () => {
      const { browser } = await signInThere(await other.newPerson())
      await other.goDown()
      const { SAML_IDP_METADATA } = { SAML_IDP_METADATA: 'http://127.0.0.1:9/metadata' }
      const { url } = await other.on(() => browser.open(LOGOUT), { SAML_IDP_METADATA })
      expect(url.href).toBe(`${ORIGIN}/sign-in`)
      expect(await isSignedIn(browser)).toBe(false)
    })
    const idp = newIdp({ origin: 'https://idp.example', takes: ['redirect'] })
    const settings = { SAML_IDP_METADATA: undefined, SAML_ENTRY_POINT: 'https://idp.example/sso' }
    await other.on(
      async () => {
        const { nick } = await newUser()
        const xml = await answerOf({ ...other, idp }, { nick })
        const cookie = pairOf(cookiesOf(await deliver(xml)).console)
        const response = await call('GET', LOGOUT, { as: null, headers: { cookie } })
        expect(response.headers.get('location')).toBe(`${ORIGIN}/sign-in`)
      },
      { ...settings, SAML_CERTIFICATE: idp.certificate },
    )
  })

  test('without a session is led to the sign-in page', () =>
    there.on(async () => {
      expect((await newBrowser().open(LOGOUT)).url.href).toBe(`${ORIGIN}/sign-in`)
    }))

  test('is not signed out by a page of another site', () =>
    there.on(async () => {
      const { browser } = await signInThere(await there.newPerson())
      for (const method of ['GET', 'POST'])
        for (const site of ['cross-site', 'same-site']) {
          const response = await browser.send(LOGOUT, { method, headers: { 'sec-fetch-site': site } })
          expect(response.headers.get('location')).toBe(`${ORIGIN}/`)
          expect(await isSignedIn(browser)).toBe(true)
        }
    }))

  test('is signed out, whatever the provider answers', () =>
    there.on(async () => {
      for (const query of ['SAMLResponse=x', `SAMLResponse=${encodeURIComponent('q1YqLU4tUrJSKi5N')}`]) {
        const { url } = await newBrowser().open(`${LOGOUT}?${query}`)
        expect(url.pathname).toBe('/sign-in')
      }
    }))
})

describe('a provider that ends sessions', () => {
  /** A signed-in user, with these names of their session at the provider. */
  async function signedIn(nick: string, sessionIndex: string): Promise<() => Promise<boolean>> {
    const cookie = pairOf(cookiesOf(await deliver(await answerOf(there, { nick, sessionIndex }))).console)
    const ask = () => call('GET', '/api/session', { as: null, headers: { cookie } })
    await expectStatus(200, ask())
    return async () => (await ask()).status === 200
  }

  const asks = async (said: Partial<Leaving> & { nick: string }, idp = there.idp) => {
    const { binding = 'redirect' } = said
    const sent = idp.logoutRequest({ to: await ownMetadata(), binding, ...said })
    if (binding === 'post') return bring(LOGOUT, { SAMLRequest: sent, RelayState: said.relayState ?? '' })
    return call('GET', sent, { as: null, headers: { 'sec-fetch-site': 'cross-site' } })
  }

  test.each([['redirect'], ['post']] as const)('of one name and session, by %s', (binding) =>
    there.on(async () => {
      const [one, other] = [await there.newPerson(), await there.newPerson()]
      const [ended, kept] = [await signedIn(one.nick, 'a'), await signedIn(one.nick, 'b')]
      const stranger = await signedIn(other.nick, 'a')
      const response = await asks({ binding, nick: one.nick, sessionIndex: 'a', relayState: 'x y+~!()' })
      expect(response.status).toBe(303)
      const to = new URL(response.headers.get('location') ?? '')
      expect(to.href).toMatch(`${there.idp.origin}/slo?SAMLResponse=`)
      expect(messageIn(to, 'SAMLResponse')).toMatch(/InResponseTo="_idp.*status:Success/)
      expect(to.searchParams.get('RelayState')).toBe('x y+~!()')
      expect([await ended(), await kept(), await stranger()]).toEqual([false, true, true])
    }),
  )

  test('of one name, wherever', () =>
    there.on(async () => {
      const { nick } = await there.newPerson()
      const sessions = [await signedIn(nick, 'a'), await signedIn(nick, 'b')]
      await asks({ nick })
      expect(await Promise.all(sessions.map((each) => each()))).toEqual([false, false])
    }))

  test('is answered with a signature that it accepts', async () => {
    const SAML_PRIVATE_KEY = pemOf(newKey())
    const strict = await newIdpServer({ strict: true })
    await strict.on(
      async () => {
        const to = await ownMetadata()
        const sent = strict.idp.logoutRequest({
          to,
          binding: 'redirect',
          nick: 'x',
          relayState: '(a) state!',
        })
        const { html } = await newBrowser().open(sent)
        expect(html).toContain('Signed out everywhere')
        expect(strict.left).toEqual(['LogoutResponse'])
      },
      { SAML_PRIVATE_KEY },
    )
    await strict.goDown()
  })

  test('is an event of the user', () =>
    there.on(async () => {
      const person = await there.newPerson()
      await signedIn(person.nick, 'a')
      await asks({ nick: person.nick })
      const { browser } = await signInThere(person)
      const { collection } = await expectStatus(200, browser.send(`/api/events?user=${person.id}`))
      const actions = collection.map(({ action }: { action: string }) => action)
      expect(actions.sort()).toEqual(['sign-in', 'sign-in', 'sign-out'])
    }))

  describe('is not believed', () => {
    type Attack = (victim: User) => Promise<Response>

    const queryOf = async (nick: string) => {
      const sent = there.idp.logoutRequest({ to: await ownMetadata(), binding: 'redirect', nick })
      return new URL(sent).search.slice(1)
    }
    const send = (query: string) => call('GET', `${LOGOUT}?${query}`, { as: null })
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

    const attacks: Record<string, Attack> = {
      'unsigned, by redirect': ({ nick }) => asks({ nick, signed: false }),
      'unsigned, by POST': ({ nick }) => asks({ nick, signed: false, binding: 'post' }),
      'forged by another key, by redirect': ({ nick }) =>
        asks({ nick }, newIdp({ origin: there.idp.origin })),
      'forged by another key, by POST': ({ nick }) =>
        asks({ nick, binding: 'post' }, newIdp({ origin: there.idp.origin })),
      'with the signature of another request': async ({ nick }) => {
        const mine = await queryOf('attacker')
        const theirs = await asksUnsigned(nick)
        return send(mine.replace(/SAMLRequest=[^&]*/, theirs))
      },
      'with the signed request beside the other': async ({ nick }) =>
        send(`${await asksUnsigned(nick)}&${await queryOf('attacker')}`),
      'with the signed request under another name': async ({ nick }) =>
        send(`x${await queryOf('attacker')}&${await asksUnsigned(nick)}`),
      'with a state that was not signed': async ({ nick }) => send(`${await queryOf(nick)}&RelayState=x`),
      'with the signature in another text of the same bytes': async ({ nick }) =>
        send(`${await queryOf(nick)}A`),
      'with the signature broken into lines': async ({ nick }) =>
        send((await queryOf(nick)).replace(/&Signature=..../, '$&%0A')),
      'with a signature by SHA-1': ({ nick }) =>
        asks(
          { nick },
          newIdp({ origin: there.idp.origin, key: there.idp.key, algorithm: algorithms.RSA_SHA1 }),
        ),
      'with the signature stripped, by POST': async ({ nick }) => {
        const sent = there.idp.logoutRequest({ to: await ownMetadata(), binding: 'post', nick })
        const xml = Buffer.from(sent, 'base64').toString()
        const bare = xml.replace(/<ds:Signature.*<\/ds:Signature>/s, '')
        return bring(LOGOUT, { SAMLRequest: Buffer.from(bare).toString('base64') })
      },
      'wrapped around a signed one, by POST': async ({ nick }) => {
        const sent = there.idp.logoutRequest({ to: await ownMetadata(), binding: 'post', nick: 'attacker' })
        const xml = Buffer.from(sent, 'base64')
          .toString()
          .replace(/^<\?xml[^>]*>/, '')
        const outer = xml
          .replace(/<ds:Signature.*<\/ds:Signature>/s, `<samlp:Extensions>${xml}</samlp:Extensions>`)
          .replace(/ ID="[^"]*"/, ' ID="_evil"')
          .replace(/attacker(?!.*attacker)/s, nick)
        return bring(LOGOUT, { SAMLRequest: Buffer.from(outer).toString('base64') })
      },
      'for another destination': ({ nick }) =>
        asks({ nick, values: { Destination: 'https://other.example/' } }),
      'without a destination': ({ nick }) => asks({ nick, values: { Destination: undefined } }),
      'from another issuer': ({ nick }) => asks({ nick, values: { Issuer: 'https://other.example/' } }),
      'from yesterday': ({ nick }) => asks({ nick, values: { IssueInstant: minutesAgo(24 * 60) } }),
      'from ten minutes ago': ({ nick }) => asks({ nick, values: { IssueInstant: minutesAgo(10) } }),
    }

    const asksUnsigned = async (nick: string) => {
      const sent = there.idp.logoutRequest({
        to: await ownMetadata(),
        binding: 'redirect',
        nick,
        signed: false,
      })
      return new URL(sent).search.slice(1)
    }

    test.each(Object.entries(attacks))('%s', (_what, attack) =>
      there.on(async () => {
        const victim = await there.newPerson()
        const stays = await signedIn(victim.nick, 'a')
        expect(await outcomeOf(await attack(victim))).toBe('problem invalid')
        expect(await stays()).toBe(true)
      }),
    )

    test('when it is sent again', () =>
      there.on(async () => {
        const { nick } = await there.newPerson()
        const query = await queryOf(nick)
        expect((await send(query)).headers.get('location')).toContain('/slo?')
        const stays = await signedIn(nick, 'a')
        expect(await outcomeOf(await send(query))).toBe('problem invalid')
        expect(await stays()).toBe(true)
      }))
  })
})
