import { inflateRawSync } from 'node:zlib'
import type { Env } from '#lib/ground/env.server'
import { type Browser, newBrowser, type Page } from '#lib/tools/testing/browser'
import { call, expectStatus, newUser, type User } from '#lib/tools/testing/client'
import type { Said } from '#lib/tools/testing/saml-idp'
import {
  type Accounts,
  type IdpServer,
  type ServerOptions,
  startIdp,
} from '#lib/tools/testing/saml-idp-server'
import { cookiesOf, pairOf, withSettings } from '#lib/tools/testing/session'

export type AtIdp = IdpServer & {
  accounts: Accounts
  /** Runs `work` in an installation that signs in there. */
  on: <T>(work: () => Promise<T>, settings?: Partial<Env>) => Promise<T>
  /** A user of ours with an account at the provider. */
  newPerson: (person?: Parameters<typeof newUser>[0]) => ReturnType<typeof newUser>
}

export const ownMetadata = (): Promise<string> =>
  expectStatus(200, call('GET', '/api/auth/saml/metadata', { as: null }))

/** An identity provider with no accounts yet. */
export async function newIdpServer(options: Partial<ServerOptions> = {}): Promise<AtIdp> {
  const accounts: Accounts = new Map()
  const server = await startIdp({ accounts, metadataOf: ownMetadata, ...options })
  return {
    ...server,
    accounts,
    on: (work, settings) => withSettings({ ...server.settings, ...settings }, work),
    newPerson: async (person) => {
      const user = await newUser(person)
      accounts.set(user.nick, {})
      return user
    },
  }
}

export const loginPath = (returnTo?: string) =>
  `/api/auth/saml/login${returnTo === undefined ? '' : `?${new URLSearchParams({ returnTo })}`}`

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const plain = (html: string): string =>
  html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')

type Form = { action: string; fields: Record<string, string> }

/** The form of a page that has this button. */
export function formIn(html: string, button: string): Form {
  const forms = html.split('<form').slice(1)
  const found = forms.find((form) => plain(form).includes(`>${button}</button>`))
  const action = /action="([^"]*)"/.exec(found ?? '')?.[1]
  if (!found || action === undefined) throw new Error(`no form with ${button} in ${html}`)
  const inputs = found.matchAll(/name="([^"]*)" value="([^"]*)"/g)
  return {
    action: plain(action),
    fields: Object.fromEntries([...inputs].map(([, name = '', value = '']) => [plain(name), plain(value)])),
  }
}

const CONTINUE = 'Continue to your identity provider'

/** Goes to the provider, and sends our own form if it accepts messages only by POST. */
export async function goThere(browser: Browser, path: string) {
  const page = await browser.open(path)
  if (!page.html.includes(CONTINUE)) return page
  const { action, fields } = formIn(page.html, CONTINUE)
  return browser.open(action, fields)
}

/** Goes to the provider by this path, and back as this account. Gives the page that it ends on. */
export async function passIdp(browser: Browser, path: string, nick: string): Promise<Page> {
  const page = await goThere(browser, path)
  const choice = formIn(page.html, nick)
  const answer = await browser.open(new URL(choice.action, page.url), choice.fields)
  const { action, fields } = formIn(answer.html, 'Continue')
  return browser.open(action, fields)
}

/** Signs in to the console there. Gives the page that it ends on. */
export async function signInThere(
  { nick }: Pick<User, 'nick'>,
  { browser = newBrowser(), returnTo }: { browser?: Browser; returnTo?: string } = {},
): Promise<{ browser: Browser; url: URL }> {
  const { url } = await passIdp(browser, loginPath(returnTo), nick)
  return { browser, url }
}

/** The XML of a message in an address. */
export const messageIn = (address: URL, kind: 'SAMLRequest' | 'SAMLResponse' = 'SAMLRequest'): string =>
  inflateRawSync(Buffer.from(address.searchParams.get(kind) ?? '', 'base64')).toString()

/** The cookie of each flow that was begun, by the id of its request. */
const flowCookies = new Map<string, string>()

/** Begins a sign-in, in a browser that holds nothing else. Gives the id of its request. */
export async function beginRequest(returnTo = '/scopes'): Promise<string> {
  const response = await call('GET', loginPath(returnTo), { as: null })
  const request = messageIn(new URL(response.headers.get('location') ?? ''))
  const id = / ID="([^"]+)"/.exec(request)?.[1] ?? ''
  flowCookies.set(id, pairOf(response.headers.getSetCookie()[0]))
  return id
}

/** Answers a started request as the provider does, with one value or another changed. */
export const answerOf = async ({ idp }: AtIdp, said: Partial<Said> & { nick: string }): Promise<string> =>
  idp.answer({ to: await ownMetadata(), requestId: await beginRequest(), ...said })

/** A browser brings a message, from the provider's site. */
export const bring = (path: string, form: Record<string, string> | string): Promise<Response> =>
  call('POST', path, {
    as: null,
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://idp.example',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-dest': 'document',
      'sec-fetch-mode': 'navigate',
    },
  })

/** Brings an answer, and goes no further. */
export const post = (answer: string): Promise<Response> =>
  bring('/api/auth/saml/acs', { SAMLResponse: Buffer.from(answer).toString('base64') })

/** Posts an answer, and follows its redirects as the browser that started the sign-in. */
export const deliver = async (answer: string): Promise<Response> => follow(await post(answer))

/** Goes from a POST to the entrance that it leads to, if it does. */
export async function follow(response: Response): Promise<Response> {
  const to = URL.parse(response.headers.get('location') ?? '')
  if (to?.pathname !== '/api/auth/saml/finish') return response
  const cookie = flowCookies.get(to.searchParams.get('request') ?? '') ?? ''
  return call('GET', to.pathname + to.search, { as: null, headers: { cookie } })
}

/** The outcome of an answer: `nick ada` for the user who is signed in, or `problem invalid` for the problem on the sign-in page. */
export async function outcomeOf(response: Response): Promise<string> {
  if (response.status !== 303) throw new Error(`answered ${response.status}`)
  const { console } = cookiesOf(response)
  if (!console) {
    const { pathname, searchParams } = new URL(response.headers.get('location') ?? '')
    return pathname === '/sign-in' ? `problem ${searchParams.get('problem')}` : `led to ${pathname}`
  }
  const session = call('GET', '/api/session', { as: null, headers: { cookie: pairOf(console) } })
  return `nick ${(await expectStatus(200, session)).nick}`
}
