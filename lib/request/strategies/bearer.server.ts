import { type Account, callerOf } from '#lib/caller/auth/caller.server'
import { isOidcOn } from '#lib/caller/auth/modes.server'
import type { Strategy } from '#lib/caller/auth/strategy.server'
import { newSession } from '#lib/caller/auth/tokens.server'
import { Unauthorized } from '#lib/caller/auth/unauthorized'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { requestIdOf } from '#lib/ground/http/request-id.server'
import { log } from '#lib/ground/log.server'
import { logFailure } from '#lib/people/federation/failure.server'
import { accountOf } from '#lib/people/federation/people.server'
import { SignInProblem } from '#lib/people/federation/problem.server'
import type { Problem } from '#lib/people/federation/problems'
import { readAccessToken } from '#lib/people/oidc/access-tokens.server'
import { providerUnavailable } from '#lib/people/oidc/failure.server'
import { type TokenCheck, TokenRefused } from '#lib/people/oidc/refused-token.server'

const checks: Partial<Record<Problem, TokenCheck>> = {
  'inactive-user': 'user may not sign in',
  'another-person': 'another subject',
  'not-linked': 'not linked',
  invalid: 'no claim names the user',
}

/** The account of the token's user. Throws TokenRefused. */
async function accountOfToken(request: Exchange, token: string): Promise<Account> {
  const person = await readAccessToken(token)
  const account = await accountOf(request, person).catch((error) => {
    const check = error instanceof SignInProblem && checks[error.problem]
    throw check ? new TokenRefused(check) : error
  })
  if (!account) throw new TokenRefused('no such user')
  return account
}

const invalidToken = () => new Unauthorized({ schemes: ['Bearer'], error: 'invalid_token' })

/** Only the log names the failed check; the response must not. The token is never logged. */
function refused(request: Exchange, { check, found }: TokenRefused): Unauthorized {
  log().info({ requestId: requestIdOf(request), check, found }, 'a Bearer token was refused')
  return invalidToken()
}

/** `Authorization: Bearer <access token>` of the OpenID Connect provider (RFC 6750). Second factors are up to the provider. */
export const bearer: Strategy = async (request) => {
  const header = request.headers.get('authorization')
  if (!header || !/^bearer( |$)/i.test(header)) return null
  if (!isOidcOn()) throw invalidToken()
  try {
    const token = header.slice(7).trim()
    const account = await accountOfToken(request, token)
    const session = newSession(account.id, account.token_epoch)
    return {
      caller: callerOf(account),
      session,
      inConsole: false,
      proof: undefined,
      duty: undefined,
      isTokenValid: () =>
        readAccessToken(token).then(
          () => true,
          () => false,
        ),
    }
  } catch (error) {
    if (error instanceof TokenRefused) throw refused(request, error)
    logFailure(request, 'an access token could not be checked', error)
    throw providerUnavailable()
  }
}
