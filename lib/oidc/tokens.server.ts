import type { TokenEndpointResponse } from 'openid-client'
import { readConsoleSession } from '#lib/auth/console-cookie.server'
import type { Session } from '#lib/auth/tokens.server'
import { type Db, transaction } from '#lib/db/db.server'
import { readKept, replaceKept } from '#lib/federation/sign-in.server'
import { ApiError } from '#lib/http/errors'
import type { ProviderTokens } from '#lib/oidc/tokens.schema'

/** The provider's tokens, stored encrypted with the console session. `expires`: of the access token (epoch milliseconds). */
export type KeptTokens = {
  accessToken: string
  refreshToken?: string | undefined
  idToken?: string | undefined
  expires?: number | undefined
}

/** The tokens of an answer of the token endpoint (RFC 6749 §5.1). */
export const tokensIn = (answer: TokenEndpointResponse): KeptTokens => ({
  accessToken: answer.access_token,
  refreshToken: answer.refresh_token,
  idToken: answer.id_token,
  expires: answer.expires_in === undefined ? undefined : Date.now() + answer.expires_in * 1000,
})

/**
 * Providers may rotate refresh tokens. If the console session stores the exchanged one, the new tokens replace it.
 */
export async function keepExchanged(request: Request, spent: string, fresh: KeptTokens): Promise<void> {
  const session = await readConsoleSession(request)
  if (!session) return
  await transaction(async (trx) => {
    const kept = await readKept<KeptTokens>(trx, session.id, 'OPENID')
    if (kept?.refreshToken !== spent) return
    const next: KeptTokens = { ...fresh, refreshToken: fresh.refreshToken ?? spent, idToken: kept.idToken }
    await replaceKept(trx, session.id, next)
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
  const kept = inConsole ? await readKept<KeptTokens>(db, session.id, 'OPENID') : undefined
  if (!kept) throw new ApiError('OIDC-2')
  const { accessToken, refreshToken, expires } = kept
  return {
    links: [],
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expires !== undefined && { expires: new Date(expires).toISOString() }),
  }
}
