import { buildEndSessionUrl } from 'openid-client'
import { isOidcOn } from '#lib/caller/auth/modes.server'
import type { Answer } from '#lib/ground/http/answer.server'
import { redirect } from '#lib/ground/http/bodiless.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf } from '#lib/ground/http/origin.server'
import { signOutWithProvider } from '#lib/people/federation/sign-out.server'
import { askProvider } from '#lib/people/oidc/provider.server'
import type { StoredTokens } from '#lib/people/oidc/tokens.server'

/** Signs out of the console and of the provider (OpenID Connect RP-Initiated Logout 1.0 §2). */
export const signOutEverywhere = (request: Exchange): Promise<Answer> =>
  signOutWithProvider<StoredTokens>(request, 'OPENID', async ({ idToken }, headers) => {
    if (!isOidcOn()) return undefined
    const { config } = await askProvider()
    if (!config.serverMetadata().end_session_endpoint) return undefined
    const { href } = buildEndSessionUrl(config, {
      ...(idToken !== undefined && { id_token_hint: idToken }),
      post_logout_redirect_uri: `${baseOf(request)}/sign-in`,
    })
    return redirect(href, { headers })
  })
