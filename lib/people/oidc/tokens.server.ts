import type { TokenEndpointResponse } from 'openid-client'
import { readConsoleSession } from '#lib/caller/auth/console-cookie.server'
import type { Session } from '#lib/caller/auth/tokens.server'
import { type Db, transaction } from '#lib/db/db.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { readStored, replaceStored } from '#lib/people/federation/sign-in.server'
import type { ProviderTokens } from '#lib/people/oidc/tokens.schema'

/** The provider's tokens, stored encrypted with the console session. `expires`: of the access token (epoch milliseconds). */
export type StoredTokens = {
  accessToken: string
  refreshToken?: string | undefined
  idToken?: string | undefined
  expires?: number | undefined
}

/** The tokens of an answer of the token endpoint (RFC 6749 §5.1). */
export const tokensIn = (answer: TokenEndpointResponse): StoredTokens => ({
  accessToken: answer.access_token,
  refreshToken: answer.refresh_token,
  idToken: answer.id_token,
  expires: answer.expires_in === undefined ? undefined : Date.now() + answer.expires_in * 1000,
})

/**
 * Providers may rotate refresh tokens. If the console session stores the exchanged one, the new tokens replace it.
 */
export async function storeExchanged(request: Exchange, used: string, fresh: StoredTokens): Promise<void> {
  const session = await readConsoleSession(request)
  if (!session) return
  await transaction(async (trx) => {
    const stored = await readStored<StoredTokens>(trx, session.id, 'OPENID')
    if (stored?.refreshToken !== used) return
    const next: StoredTokens = { ...fresh, refreshToken: fresh.refreshToken ?? used, idToken: stored.idToken }
    await replaceStored(trx, session.id, next)
  })
}

/** The user's own tokens, for the console alone: programs cannot read them. */
export async function readTokens({
  db,
  session,
  inConsole,
}: {
  db: Db
  session: Session
  inConsole: boolean
}): Promise<ProviderTokens> {
  const stored = inConsole ? await readStored<StoredTokens>(db, session.id, 'OPENID') : undefined
  if (!stored) throw new ApiError('OIDC-2')
  const { accessToken, refreshToken, expires } = stored
  return {
    links: [],
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expires !== undefined && { expires: new Date(expires).toISOString() }),
  }
}
