import { buildEndSessionUrl } from 'openid-client'
import { isOidcOn } from '#lib/auth/modes.server'
import { signOutWithProvider } from '#lib/federation/sign-out.server'
import { redirect } from '#lib/http/bodiless.server'
import { baseOf } from '#lib/http/origin.server'
import { askProvider } from '#lib/oidc/provider.server'
import type { StoredTokens } from '#lib/oidc/tokens.server'

/** Signs out of the console and of the provider (OpenID Connect RP-Initiated Logout 1.0 §2). */
export const signOutEverywhere = (request: Request): Promise<Response> =>
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
