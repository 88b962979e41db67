import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
} from 'openid-client'
import { isOidcOn } from '#lib/caller/auth/modes.server'
import { env } from '#lib/ground/env.server'
import { type Answer, AnswerHeaders } from '#lib/ground/http/answer.server'
import { redirect } from '#lib/ground/http/bodiless.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf } from '#lib/ground/http/origin.server'
import { safeReturnTo } from '#lib/ground/http/return-to'
import { urlOf } from '#lib/ground/http/route.server'
import { bindToBrowser, type InBrowser } from '#lib/people/federation/browsers.server'
import { logFailure } from '#lib/people/federation/failure.server'
import { beginFlow, newFlowName } from '#lib/people/federation/flows.server'
import { confirmationFor, redirectToSignIn } from '#lib/people/federation/sign-in.server'
import { finishTrial, type Receive, trialIn } from '#lib/people/federation/trials.server'
import { asProblem, during } from '#lib/people/oidc/failure.server'
import { askProvider } from '#lib/people/oidc/provider.server'

/** A sign-in under way, stored on the server under its state until the provider sends the browser back. */
export type Flow = InBrowser & {
  /** The PKCE verifier (RFC 7636). */
  verifier: string
  nonce: string
  redirectUri: string
  returnTo: string
  /** The console session that began a trial. */
  trial?: string | undefined
}

/**
 * Without `openid` it is no sign-in. A lasting refresh token needs the user's consent (OpenID Connect Core §11). Users who are signed in
 * at the provider with an account that is unknown here need `prompt=login` to choose another (§3.1.2.1).
 */
function wantedOf(query: URLSearchParams): Record<string, string> {
  const scopes = new Set(['openid', ...env().OIDC_SCOPES.split(/\s+/).filter(Boolean)])
  const prompts = [
    ...(query.get('prompt') === 'login' ? ['login'] : []),
    ...(scopes.has('offline_access') ? ['consent'] : []),
  ]
  return { scope: [...scopes].join(' '), ...(prompts.length > 0 && { prompt: prompts.join(' ') }) }
}

/** Redirects to the provider. */
async function begin(
  request: Exchange,
  query: URLSearchParams,
  { returnTo, trial }: Pick<Flow, 'returnTo' | 'trial'>,
): Promise<Answer> {
  const { config } = await during('discovery', askProvider)
  const verifier = randomPKCECodeVerifier()
  const nonce = randomNonce()
  const redirectUri = `${baseOf(request)}/api/auth/oidc/callback`
  const headers = new AnswerHeaders()
  const state = newFlowName()
  const browser = bindToBrowser(request, { headers, kind: 'oidc', flow: state })
  const flow: Flow = { browser, verifier, nonce, redirectUri, returnTo, trial }
  await beginFlow(request, { kind: 'oidc', name: state }, flow)
  const { href } = buildAuthorizationUrl(config, {
    ...wantedOf(query),
    redirect_uri: redirectUri,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return redirect(href, { headers })
}

/** Starts a sign-in at the provider (OpenID Connect Core §3.1.2.1), or a trial of one. */
export async function startSignIn(request: Exchange): Promise<Answer> {
  const { searchParams: query } = urlOf(request)
  const returnTo = safeReturnTo(query.get('returnTo'))
  if (!isOidcOn()) return redirectToSignIn(request, { problem: 'refused' }, returnTo)
  const confirmation = confirmationFor(request, returnTo)
  if (confirmation) return confirmation
  let trial: string | undefined
  try {
    trial = await trialIn(request)
    return await begin(request, query, { returnTo, trial })
  } catch (error) {
    if (trial !== undefined) return tryOut(request, trial, () => Promise.reject(error))
    logFailure(request, 'a sign-in by OpenID Connect could not begin', error)
    return redirectToSignIn(request, asProblem(error), returnTo)
  }
}

/** Ends a trial of this console session with the provider's answer or the failure. */
export const tryOut = (request: Exchange, session: string, receive: Receive): Promise<Answer> =>
  finishTrial(request, { session, provider: 'OPENID', asProblem }, receive)
