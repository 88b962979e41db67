import {
  bindToBrowser,
  endedFlowCookie,
  type InBrowser,
  takeInBrowser,
} from '#lib/federation/browsers.server'
import { beginFlow, newFlowName } from '#lib/federation/flows.server'

/** A sign-in on its way. What the way back is checked with is kept on the server under the state. */
export type Flow = {
  /** The PKCE verifier (RFC 7636). */
  verifier: string
  nonce: string
  redirectUri: string
  returnTo: string
  /** The console session that tries the sign-in out. */
  trial?: string | undefined
}

/** Keeps the flow, and binds it to this browser by a cookie in `headers`. Gives its state. */
export async function startFlow(request: Request, headers: Headers, flow: Flow): Promise<string> {
  const state = newFlowName()
  const kept: Flow & InBrowser = { ...flow, browser: bindToBrowser(request, headers, 'oidc', state) }
  await beginFlow('oidc', state, kept)
  return state
}

/** The flow of this state, which is taken with it. Throws SignInProblem: there is none, or none of this browser. */
export const finishFlow = (request: Request, state: string): Promise<Flow> =>
  takeInBrowser<Flow & InBrowser>(request, 'oidc', state)

export const endedStateCookie = (request: Request, state: string): string =>
  endedFlowCookie(request, 'oidc', state)
