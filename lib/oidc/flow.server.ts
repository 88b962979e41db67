import { createHash, randomBytes } from 'node:crypto'
import { beginFlow, newFlowName, takeFlow } from '#lib/federation/flows.server'
import { SignInProblem } from '#lib/federation/sign-in.server'
import { cookieOf, setCookie } from '#lib/http/cookies'
import { isSecure } from '#lib/http/origin.server'

/*
 * A sign-in on its way. What the way back is checked with is kept on the server under the state; the browser that began it holds a
 * cookie of that state alone, so that tabs do not know of each other and nobody ends the sign-in of another browser.
 */

export type Flow = {
  /** The PKCE verifier (RFC 7636). */
  verifier: string
  nonce: string
  redirectUri: string
  returnTo: string
  /** The console session that tries the sign-in out. */
  trial?: string | undefined
}

type Kept = Flow & { browser: string }

const TEN_MINUTES = 10 * 60 * 1000

/** Behind https by a name that no sister site can set (RFC 6265bis §4.1.3.2). */
const cookieName = (request: Request, state: string): string => {
  const name = createHash('sha256').update(state).digest('base64url').slice(0, 16)
  return `${isSecure(request) ? '__Host-' : ''}oidc-${name}`
}

/** Keeps the flow. Gives its state, and the cookie that binds it to this browser. */
export async function startFlow(request: Request, flow: Flow): Promise<{ state: string; cookie: string }> {
  const state = newFlowName()
  const browser = randomBytes(24).toString('base64url')
  const kept: Kept = { ...flow, browser }
  await beginFlow('oidc', state, kept)
  const cookie = setCookie(cookieName(request, state), browser, Date.now() + TEN_MINUTES, isSecure(request))
  return { state, cookie }
}

/** The flow of this state, which is taken with it. Throws SignInProblem: there is none, or none of this browser. */
export async function finishFlow(request: Request, state: string): Promise<Flow> {
  const browser = cookieOf(request.headers.get('cookie'), cookieName(request, state))
  // Without a cookie the flow stays where it is: another browser may be on its way back.
  const kept = browser === undefined ? undefined : await takeFlow<Kept>('oidc', state)
  if (!kept || kept.browser !== browser) throw new SignInProblem('expired')
  return kept
}

/** Takes the cookie of a flow that is over. */
export const endedFlowCookie = (request: Request, state: string): string =>
  setCookie(cookieName(request, state), '', 0, isSecure(request))
