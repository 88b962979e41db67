import { ResponseBodyError, refreshTokenGrant, type TokenEndpointResponse } from 'openid-client'
import { isOidcOn } from '#lib/caller/auth/modes.server'
import { type Answer, answerOf } from '#lib/ground/http/answer.server'
import { readText } from '#lib/ground/http/body.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { logFailure } from '#lib/people/federation/failure.server'
import { providerUnavailable } from '#lib/people/oidc/failure.server'
import { knownProvider } from '#lib/people/oidc/provider.server'
import { storeExchanged, tokensIn } from '#lib/people/oidc/tokens.server'

/** RFC 6749 §6: `refresh_token`, once, in a form. */
async function refreshTokenIn(request: Exchange): Promise<string> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new ApiError('415-UNSUPPORTED-MEDIA-TYPE')
  const [token, ...more] = new URLSearchParams(await readText(request)).getAll('refresh_token')
  if (!token || more.length > 0) throw new ApiError('OIDC-0')
  return token
}

async function exchange(request: Exchange, token: string): Promise<TokenEndpointResponse> {
  try {
    const { config } = await knownProvider()
    return await refreshTokenGrant(config, token)
  } catch (error) {
    logFailure(request, 'a refresh token could not be exchanged', error)
    if (error instanceof ResponseBodyError && error.status < 500) throw new ApiError('OIDC-1')
    throw providerUnavailable()
  }
}

/** Exchanges a refresh token at the provider, and returns its answer (RFC 6749 §5.1). */
export async function refreshTokens(request: Exchange): Promise<Answer> {
  if (!isOidcOn()) throw new ApiError('404-NOT-FOUND')
  const used = await refreshTokenIn(request)
  const answer = await exchange(request, used)
  // The old token may no longer work, so the caller must get the new one even if storing it fails.
  await storeExchanged(request, used, tokensIn(answer)).catch((error) =>
    logFailure(request, 'exchanged tokens could not be stored', error),
  )
  const { access_token, token_type, expires_in, refresh_token, scope, id_token } = answer
  const shown = { access_token, token_type, expires_in, refresh_token, scope, id_token }
  return answerOf(JSON.stringify(shown), {
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache' },
  })
}
