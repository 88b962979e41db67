import { authorizationCodeGrant, fetchUserInfo } from 'openid-client'
import { isOidcOn } from '#lib/caller/auth/modes.server'
import { env } from '#lib/ground/env.server'
import type { Answer } from '#lib/ground/http/answer.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { urlOf } from '#lib/ground/http/route.server'
import { accountFor } from '#lib/people/federation/accounts.server'
import { endedFlowCookie, takeInBrowser } from '#lib/people/federation/browsers.server'
import { logFailure } from '#lib/people/federation/failure.server'
import { SignInProblem } from '#lib/people/federation/problem.server'
import { enterConsole, redirectToSignIn } from '#lib/people/federation/sign-in.server'
import type { Received } from '#lib/people/federation/trials.server'
import { type Claims, isComplete, nickIn, personOf } from '#lib/people/oidc/claims.server'
import { asProblem, during, stepOfGrant } from '#lib/people/oidc/failure.server'
import { verifyJwt } from '#lib/people/oidc/jwt.server'
import type { Flow } from '#lib/people/oidc/login.server'
import { tryOut } from '#lib/people/oidc/login.server'
import { knownProvider, type Provider, spaceOfSubjects } from '#lib/people/oidc/provider.server'
import { type StoredTokens, tokensIn } from '#lib/people/oidc/tokens.server'

/** The authenticated person, after every check. */
type SignedIn = { claims: Claims; subject: string; issuer: string; stored: StoredTokens }

/** Exchanges the code (OpenID Connect Core §3.1.3). The ID token's signature is verified although the token came directly from the provider. */
async function redeem(request: Exchange, flow: Flow, state: string): Promise<SignedIn> {
  const provider = await during('discovery', knownProvider)
  const here = new URL(flow.redirectUri + urlOf(request).search)
  const client = env().OIDC_CLIENT_ID ?? ''
  const answer = await during(stepOfGrant(here), () =>
    authorizationCodeGrant(provider.config, here, {
      expectedState: state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
    }),
  )
  const { payload } = await during('answer', () => verifyJwt(answer.id_token ?? '', provider, client))
  const { sub: subject = '' } = payload
  const token = answer.access_token
  const claims = await during('userinfo', () =>
    completed(request, { provider, claims: payload, subject, token }),
  )
  return { claims, subject, issuer: spaceOfSubjects(provider, client), stored: tokensIn(answer) }
}

type Completing = { provider: Provider; claims: Claims; subject: string; token: string }

/** Adds claims of the userinfo endpoint (OpenID Connect Core §5.4). On a conflict the ID token wins. */
async function completed(
  request: Exchange,
  { provider: { config }, claims, subject, token }: Completing,
): Promise<Claims> {
  if (isComplete(claims) || !config.serverMetadata().userinfo_endpoint) return claims
  try {
    return { ...(await fetchUserInfo(config, token, subject)), ...claims }
  } catch (error) {
    if (nickIn(claims) === undefined) throw error
    // The userinfo endpoint refuses an access token for another audience.
    logFailure(request, 'the userinfo could not be read', error)
    return claims
  }
}

async function enter(request: Exchange, flow: Flow, state: string): Promise<Answer> {
  const { claims, stored, ...named } = await redeem(request, flow, state)
  const { subject } = named
  const account = await accountFor(request, personOf(claims, named))
  return enterConsole(request, { account, provider: 'OPENID', subject, stored, returnTo: flow.returnTo })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** The claims as texts: other values as JSON. */
const claimTexts = (claims: Claims): Received['attributes'] =>
  Object.entries(claims).map(([name, value]) => ({ name, value: textOf(value) }))

type Showing = { flow: Flow; state: string; trial: string }

/** Shows the result of a trial, whose tokens are not stored. */
const show = (request: Exchange, { flow, state, trial }: Showing): Promise<Answer> =>
  tryOut(request, trial, async (received) => {
    const { claims, ...named } = await redeem(request, flow, state)
    received.attributes = claimTexts(claims)
    received.person = personOf(claims, named)
  })

/** Takes the provider's redirect, and redirects to the console or the sign-in page. */
export async function finishSignIn(request: Exchange): Promise<Answer> {
  const state = urlOf(request).searchParams.get('state') ?? ''
  let returnTo: string | undefined
  let response: Answer
  try {
    if (!isOidcOn()) throw new SignInProblem('expired')
    const flow = await takeInBrowser<Flow>(request, { kind: 'oidc', flow: state })
    returnTo = flow.returnTo
    response = await (flow.trial === undefined
      ? enter(request, flow, state)
      : show(request, { flow, state, trial: flow.trial }))
  } catch (error) {
    logFailure(request, 'a sign-in by OpenID Connect failed', error)
    response = redirectToSignIn(request, asProblem(error), returnTo)
  }
  response.headers.append('set-cookie', endedFlowCookie(request, 'oidc', state))
  return response
}
