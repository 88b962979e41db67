import type { JWTPayload } from 'jose'
import { afterAll, expect } from 'vitest'
import type { Env } from '#lib/ground/env.server'
import { type Browser, newBrowser, type Page } from '#lib/tools/testing/browser'
import { call, expectStatus, newUser, ORIGIN, type User } from '#lib/tools/testing/client'
import {
  type Account,
  type ProviderOptions,
  type RunningProvider,
  startProvider,
} from '#lib/tools/testing/oidc-provider'
import { withSettings } from '#lib/tools/testing/session'

export const INTROSPECTION = '/token/introspection'

export const nowInSeconds = () => Math.floor(Date.now() / 1000)

export type AtProvider = RunningProvider & {
  accounts: Map<string, Account>
  /** Runs `work` in an installation that signs in at this provider. */
  on: <T>(work: () => Promise<T>, settings?: Partial<Env>) => Promise<T>
  /** A user of ours with an account at the provider. */
  newPerson: (person?: Parameters<typeof newUser>[0]) => ReturnType<typeof newUser>
  /** The claims of an access token for the user. */
  claimsFor: (user: Pick<User, 'nick'>) => JWTPayload
}

/** A provider with no accounts yet. */
export async function newProvider(options: Partial<ProviderOptions> = {}): Promise<AtProvider> {
  const accounts = new Map<string, Account>()
  const provider = await startProvider({ origins: [ORIGIN], accounts, ...options })
  return {
    ...provider,
    accounts,
    on: (work, settings) => withSettings({ ...provider.settings, ...settings }, work),
    newPerson: async (person) => {
      const user = await newUser(person)
      accounts.set(user.nick, { preferred_username: user.nick })
      return user
    },
    claimsFor: ({ nick }) => ({
      iss: provider.issuer,
      aud: 'console',
      sub: nick,
      preferred_username: nick,
      scope: 'openid profile',
      iat: nowInSeconds(),
      exp: nowInSeconds() + 60,
    }),
  }
}

/** A provider that stops after the tests of the file. */
export async function providerOfFile(): Promise<AtProvider> {
  const provider = await newProvider()
  afterAll(() => provider.goDown())
  return provider
}

/** Sends the form of a page with its current values. */
export function sendForm(browser: Browser, page: Page, values: Record<string, string> = {}): Promise<Page> {
  const action = /<form[^>]* action="([^"]+)"/.exec(page.html)?.[1]
  if (!action) throw new Error(`no form at ${page.url.pathname}`)
  const held = [...page.html.matchAll(/<input[^>]* name="(\w+)" value="([^"]*)"/g)]
  const hidden = Object.fromEntries(held.map(([, name = '', value = '']) => [name, value]))
  return browser.open(new URL(action, page.url), { ...hidden, ...values })
}

/** Fills in the forms of the provider, as the account of this name, until it leads back. */
export async function passProvider(browser: Browser, page: Page, login: string): Promise<Page> {
  let at = page
  for (let forms = 0; at.url.origin !== ORIGIN && forms < 5; forms += 1)
    at = await sendForm(browser, at, { login, password: 'any' })
  return at
}

/** Where a sign-in begins. */
export const loginPath = (returnTo?: string) =>
  `/api/auth/oidc/login${returnTo === undefined ? '' : `?${new URLSearchParams({ returnTo })}`}`

type SigningIn = { browser?: Browser; returnTo?: string; path?: string }

/** Signs in to the console at the provider. Gives the page that it ends on. */
export async function signInThere(
  { nick }: Pick<User, 'nick'>,
  { browser = newBrowser(), returnTo, path = loginPath(returnTo) }: SigningIn = {},
): Promise<{ browser: Browser; url: URL }> {
  const page = await browser.open(path)
  const { url } = await passProvider(browser, page, nick)
  return { browser, url }
}

/** The data that the sign-in page receives: its path, the problem, and the page to return to. */
export const problemAt = ({ pathname, searchParams }: URL) => [
  pathname,
  searchParams.get('problem'),
  searchParams.get('returnTo'),
]

export const expectNobody = (browser: Browser) => expectStatus(204, browser.send('/api/session'))

/** Calls the API with an access token. */
export const loginWithBearer = (token: string): Promise<Response> =>
  call('GET', '/api/login', { as: null, headers: { authorization: `Bearer ${token}` } })

/** The token opens nothing (RFC 6750 §3.1). */
export async function expectRefusedBearer(answer: Promise<Response>): Promise<void> {
  const { status, headers } = await answer
  expect([status, headers.get('www-authenticate'), headers.getSetCookie()]).toEqual([
    401,
    'Bearer realm="Service API", error="invalid_token"',
    [],
  ])
}
