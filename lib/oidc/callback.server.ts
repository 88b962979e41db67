import { authorizationCodeGrant, fetchUserInfo } from 'openid-client'
import type { Account } from '#lib/auth/caller.server'
import { recordRefusedSignIn } from '#lib/auth/sign-in-events.server'
import { env } from '#lib/env.server'
import { isOidcOn } from '#lib/federation/modes.server'
import {
  accountFor,
  enterConsole,
  type Identity,
  leadToSignIn,
  SignInProblem,
} from '#lib/federation/sign-in.server'
import { type Claims, identityOf, isComplete, nickIn } from '#lib/oidc/claims.server'
import { noteFailure, problemOf } from '#lib/oidc/failure.server'
import { endedStateCookie, type Flow, finishFlow } from '#lib/oidc/flow.server'
import { verifyJwt } from '#lib/oidc/jwt.server'
import { knownProvider, type Provider } from '#lib/oidc/provider.server'
import { type KeptTokens, tokensIn } from '#lib/oidc/tokens.server'
import { claimTexts, tryOut } from '#lib/oidc/trial.server'

/** What the provider says of who signed in, once everything about it was checked. */
type SignedIn = { claims: Claims; subject: string; kept: KeptTokens }

/** Exchanges the code (OpenID Connect Core §3.1.3). The ID token's signature is checked although it came from the provider itself. */
async function redeem(request: Request, flow: Flow, state: string): Promise<SignedIn> {
  const provider = await knownProvider()
  const here = new URL(flow.redirectUri + new URL(request.url).search)
  const answer = await authorizationCodeGrant(provider.config, here, {
    expectedState: state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.verifier,
    idTokenExpected: true,
  })
  const { payload } = await verifyJwt(answer.id_token ?? '', provider, env().OIDC_CLIENT_ID ?? '')
  const { sub: subject = '' } = payload
  const claims = await completed(request, provider, payload, { subject, token: answer.access_token })
  return { claims, subject, kept: tokensIn(answer) }
}

/** An ID token may say less than the userinfo endpoint does (OpenID Connect Core §5.4); where they differ, it counts. */
async function completed(
  request: Request,
  { config }: Provider,
  claims: Claims,
  { subject, token }: { subject: string; token: string },
): Promise<Claims> {
  if (isComplete(claims) || !config.serverMetadata().userinfo_endpoint) return claims
  try {
    return { ...(await fetchUserInfo(config, token, subject)), ...claims }
  } catch (error) {
    if (nickIn(claims) === undefined) throw error
    // An access token for another audience opens no userinfo.
    noteFailure(request, 'the userinfo endpoint could not be asked', error)
    return claims
  }
}

/** The account behind it. A refusal is kept among the events, like that of a password. */
async function accountOf(request: Request, identity: Identity): Promise<Account> {
  try {
    return await accountFor(request, { provider: 'OPENID', identity, create: env().OIDC_CREATE_USERS })
  } catch (error) {
    if (error instanceof SignInProblem && ['unknown-user', 'inactive-user'].includes(error.problem))
      await recordRefusedSignIn(request, identity.nick, 'address')
    throw error
  }
}

async function enter(request: Request, flow: Flow, state: string): Promise<Response> {
  const { claims, subject, kept } = await redeem(request, flow, state)
  const account = await accountOf(request, identityOf(claims))
  return enterConsole(request, account, { provider: 'OPENID', subject, kept }, flow.returnTo)
}

/** The tokens of a trial are kept nowhere. */
const show = (request: Request, flow: Flow, state: string, trial: string): Promise<Response> =>
  tryOut(request, trial, async (said) => {
    const { claims } = await redeem(request, flow, state)
    said.attributes = claimTexts(claims)
    said.identity = identityOf(claims)
  })

/** The way back from the provider. It ends in the console, or on the sign-in page. */
export async function finishSignIn(request: Request): Promise<Response> {
  const state = new URL(request.url).searchParams.get('state') ?? ''
  let returnTo: string | undefined
  let response: Response
  try {
    if (!isOidcOn()) throw new SignInProblem('expired')
    const flow = await finishFlow(request, state)
    returnTo = flow.returnTo
    response = await (flow.trial === undefined
      ? enter(request, flow, state)
      : show(request, flow, state, flow.trial))
  } catch (error) {
    noteFailure(request, 'a sign-in by OpenID Connect came to nothing', error)
    response = leadToSignIn(request, problemOf(error), returnTo)
  }
  response.headers.append('set-cookie', endedStateCookie(request, state))
  return response
}
