import { createHash, randomBytes } from 'node:crypto'
import { TEN_MINUTES, takeFlow } from '#lib/federation/flows.server'
import { SignInProblem } from '#lib/federation/problem.server'
import { browserCookies, cookieNames, ownCookieName, setCookie } from '#lib/http/cookies'
import { isSecure } from '#lib/http/origin.server'

/*
 * A sign-in at a provider is bound to the browser that began it: that browser holds a cookie of this one flow.
 * Without it an attacker could begin a sign-in and have the browser of a victim finish it, or the other way round. Each flow has a
 * cookie of its own, so that several tabs do not know of each other.
 */

type Kind = 'oidc' | 'saml'

/** What a flow keeps of the browser that began it. */
export type InBrowser = { browser: string }

const cookieName = (request: Request, kind: Kind, flow: string): string => {
  const name = createHash('sha256').update(flow).digest('base64url').slice(0, 16)
  return ownCookieName(`${kind}-${name}`, isSecure(request))
}

const isFlowCookie = (name: string): boolean => /^(__Host-)?(oidc|saml)-[\w-]{16}$/.test(name)

/** Flows that were begun and left fill the Cookie header, of which servers take 16 KiB. */
const MOST_COOKIES = 30

/** Binds the flow of this name to the browser by a cookie, which is added to `headers`. Gives the value to keep with the flow. */
export function bindToBrowser(request: Request, headers: Headers, kind: Kind, flow: string): string {
  const secure = isSecure(request)
  const held = cookieNames(request.headers.get('cookie')).filter(isFlowCookie)
  if (held.length >= MOST_COOKIES)
    for (const name of held) headers.append('set-cookie', setCookie(name, '', 0, secure))
  const browser = randomBytes(24).toString('base64url')
  const cookie = setCookie(cookieName(request, kind, flow), browser, Date.now() + TEN_MINUTES, secure)
  headers.append('set-cookie', cookie)
  return browser
}

/**
 * What was kept under `key` (the name of the flow, unless another one is given), which is taken with this. Throws SignInProblem where
 * there is nothing, or another browser began the flow.
 */
export async function takeInBrowser<T extends InBrowser>(
  request: Request,
  kind: Kind,
  flow: string,
  key: string = flow,
): Promise<T> {
  const [browser] = browserCookies(request.headers.get('cookie'), cookieName(request, kind, flow))
  // Without a cookie the flow stays where it is: the browser that began it may still come.
  const kept = browser === undefined ? undefined : await takeFlow<T>(kind, key)
  if (!kept || kept.browser !== browser)
    throw new SignInProblem('expired', {
      cause: new Error('This browser did not begin the sign-in, or it came too late or twice'),
    })
  return kept
}

/** Takes the cookie of a flow that is over. */
export const endedFlowCookie = (request: Request, kind: Kind, flow: string): string =>
  setCookie(cookieName(request, kind, flow), '', 0, isSecure(request))
