import { isAllowedFrom } from '#lib/auth/allowed-addresses.server'
import { callerOf, findAccount } from '#lib/auth/caller.server'
import type { Strategy } from '#lib/auth/strategy'
import { newSession } from '#lib/auth/tokens.server'
import { Unauthorized } from '#lib/auth/unauthorized'
import { isOidcOn } from '#lib/federation/modes.server'
import { nickOfAccessToken } from '#lib/oidc/access-tokens.server'
import { noteFailure, providerUnavailable } from '#lib/oidc/failure.server'

async function nickOf(request: Request, token: string): Promise<string | undefined> {
  try {
    return await nickOfAccessToken(token)
  } catch (error) {
    noteFailure(request, 'an access token could not be judged', error)
    throw providerUnavailable()
  }
}

/** `Authorization: Bearer <access token>` of the OpenID Connect provider (RFC 6750). A second factor is the provider's business. */
export const bearer: Strategy = async (request) => {
  const header = request.headers.get('authorization')
  if (!header || !/^bearer( |$)/i.test(header) || !isOidcOn()) return null
  const nick = await nickOf(request, header.slice(7).trim())
  const account = nick === undefined ? undefined : await findAccount(nick)
  if (!account || !isAllowedFrom(account, request))
    throw new Unauthorized({ schemes: ['Bearer'], error: 'invalid_token' })
  const session = newSession(account.id, account.token_epoch)
  return { caller: callerOf(account), session, inConsole: false, proof: undefined, duty: undefined }
}
