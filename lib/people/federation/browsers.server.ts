import { createHash, randomBytes } from 'node:crypto'
import type { AnswerHeaders } from '#lib/ground/http/answer.server'
import { browserCookies, clearCookie, cookieNames, ownCookieName, setCookie } from '#lib/ground/http/cookies'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { isSecure } from '#lib/ground/http/origin.server'
import { TEN_MINUTES, takeFlow } from '#lib/people/federation/flows.server'
import { SignInProblem } from '#lib/people/federation/problem.server'

/*
 * A sign-in at a provider is bound by a cookie to the browser that began it. Otherwise an attacker could begin a sign-in and have a
 * victim's browser finish it, or the reverse. Each flow has its own cookie, so that tabs do not interfere with each other.
 */

type Kind = 'oidc' | 'saml'

/** `browser`: the random value of the flow's cookie, stored with the flow. */
export type InBrowser = { browser: string }

const cookieName = (request: Exchange, kind: Kind, flow: string): string => {
  const name = createHash('sha256').update(flow).digest('base64url').slice(0, 16)
  return ownCookieName(`${kind}-${name}`, isSecure(request))
}

const isFlowCookie = (name: string): boolean => /^(__Host-)?(oidc|saml)-[\w-]{16}$/.test(name)

/** Cookies of abandoned flows fill the Cookie header, and servers accept only 16 KiB. */
const MOST_COOKIES = 30

type Binding = { headers: AnswerHeaders; kind: Kind; flow: string }

/** Binds the flow to the browser by a cookie in `headers`. Returns the value to store with the flow. */
export function bindToBrowser(request: Exchange, { headers, kind, flow }: Binding): string {
  const secure = isSecure(request)
  const present = cookieNames(request.headers.get('cookie')).filter(isFlowCookie)
  if (present.length >= MOST_COOKIES)
    for (const name of present) headers.append('set-cookie', clearCookie(name, secure))
  const browser = randomBytes(24).toString('base64url')
  const name = cookieName(request, kind, flow)
  headers.append('set-cookie', setCookie({ name, value: browser, expires: Date.now() + TEN_MINUTES }, secure))
  return browser
}

type Taking = { kind: Kind; flow: string; key?: string }

/**
 * Takes the data stored under `key`, which defaults to the name of the flow. Throws SignInProblem if there is none, or if another browser
 * began the flow.
 */
export async function takeInBrowser<T extends InBrowser>(
  request: Exchange,
  { kind, flow, key = flow }: Taking,
): Promise<T> {
  const [browser] = browserCookies(request.headers.get('cookie'), cookieName(request, kind, flow))
  // Without a cookie the flow stays stored: the browser that began it may still return.
  const stored = browser === undefined ? undefined : await takeFlow<T>(kind, key)
  if (!stored || stored.browser !== browser)
    throw new SignInProblem('expired', {
      cause: new Error(
        'This browser did not begin the sign-in, or the sign-in has expired or was already completed',
      ),
    })
  return stored
}

/** A Set-Cookie value that deletes the cookie of a finished flow. */
export const endedFlowCookie = (request: Exchange, kind: Kind, flow: string): string =>
  clearCookie(cookieName(request, kind, flow), isSecure(request))
