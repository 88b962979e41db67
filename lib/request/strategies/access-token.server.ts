import {
  digestOf,
  endAccessToken,
  isWellFormed,
  looksLikeAccessToken,
  recordAccessTokenUse,
} from '#lib/caller/auth/access-tokens.server'
import { isAllowedFrom } from '#lib/caller/auth/allowed-addresses.server'
import { callerOf, findAccountOfAccessToken } from '#lib/caller/auth/caller.server'
import type { Strategy } from '#lib/caller/auth/strategy.server'
import { newSession } from '#lib/caller/auth/tokens.server'
import { Unauthorized } from '#lib/caller/auth/unauthorized'
import { transaction } from '#lib/db/db.server'
import { clientAddress } from '#lib/ground/http/client-address.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { requestIdOf } from '#lib/ground/http/request-id.server'
import { isScim } from '#lib/ground/http/route.server'
import { log } from '#lib/ground/log.server'
import { isWithinReachOf } from '#lib/people/access-tokens/access-tokens.server'

/** The account of the token, or why the token is refused. Only the log names the reason. */
async function accountOfToken(request: Exchange, token: string) {
  if (!isWellFormed(token)) return 'malformed'
  const account = await findAccountOfAccessToken(digestOf(token))
  if (!account) return 'unknown'
  if (account.expires_at <= Date.now()) return 'expired'
  const networks = { allowed_cidrs: account.token_cidrs }
  if (!isAllowedFrom(account, request) || !isAllowedFrom(networks, request)) return 'address'
  return (await isReached(account)) ? account : 'beyond the reach of its maker'
}

type Found = NonNullable<Awaited<ReturnType<typeof findAccountOfAccessToken>>>

/** A token of a service account ends for good at its first use beyond the reach of its maker. */
async function isReached({ id, token_id: token, created_by: maker }: Found): Promise<boolean> {
  if (maker === id || (await isWithinReachOf(maker, id))) return true
  await transaction((trx) => endAccessToken(trx, token)).catch((err) =>
    log().warn({ err }, 'an access token could not be ended'),
  )
  return false
}

/**
 * `Authorization: Token sat_…` or `Bearer sat_…`, whatever else is on (docs/api/programs.md, "Access tokens"). The token needs no verification
 * code: its user gave a proof of identity when they made it.
 */
export const accessToken: Strategy = async (request) => {
  const header = request.headers.get('authorization') ?? ''
  const [, scheme = '', token = ''] = /^(token|bearer) +(?! )(.*)$/i.exec(header) ?? []
  if (!looksLikeAccessToken(token)) return null
  const found = await accountOfToken(request, token)
  if (typeof found === 'string') {
    log().info({ requestId: requestIdOf(request), reason: found }, 'an access token was refused')
    const isBearer = scheme.toLowerCase() === 'bearer'
    throw new Unauthorized(
      isBearer ? { schemes: ['Bearer'], error: 'invalid_token' } : { schemes: ['Token'] },
    )
  }
  recordAccessTokenUse(
    { id: found.token_id, lastUsed: found.last_used, isScim: isScim(request) },
    clientAddress(request),
  )
  return {
    caller: callerOf(found, found.token_privileges),
    session: newSession(found.id, found.token_epoch),
    inConsole: false,
    proof: undefined,
    duty: undefined,
    accessToken: {
      id: found.token_id,
      present: async () => {
        const now = await accountOfToken(request, token)
        return typeof now === 'string' ? undefined : callerOf(now, now.token_privileges)
      },
    },
  }
}
