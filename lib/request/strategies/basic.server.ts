import { callerOf, dutyOf, withCodeProved } from '#lib/caller/auth/caller.server'
import { isPasswordOn } from '#lib/caller/auth/modes.server'
import type { Strategy } from '#lib/caller/auth/strategy.server'
import { newSession } from '#lib/caller/auth/tokens.server'
import { Unauthorized } from '#lib/caller/auth/unauthorized'
import { transaction } from '#lib/db/db.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { codeHeader } from '#lib/ground/http/names.server'
import { exactBytes } from '#lib/ground/keys/base64.server'
import { recordPlace } from '#lib/people/sign-in/known-places.server'
import { askForCode, checkCode, checkNickAndPassword } from '#lib/people/sign-in/password-sign-in.server'
import { recordSignIn } from '#lib/people/sign-in/sign-in-events.server'

const refused = () => new Unauthorized({ schemes: ['Basic'] })

/** Whether the request has Basic credentials, valid or not. */
export const isBasic = (request: Exchange): boolean =>
  /^basic( |$)/i.test(request.headers.get('authorization') ?? '')

/** Basic (RFC 7617, UTF-8). A user with two factor repeats the request with the code in X-Service-OTP. */
export const basic: Strategy = async (request) => {
  if (!isBasic(request)) return null
  if (!isPasswordOn()) throw new Unauthorized({ schemes: ['Token', 'Bearer'] })
  const encoded = request.headers.get('authorization')?.slice(6) ?? ''
  const credentials = exactBytes(encoded.trim(), 'base64')?.toString('utf8') ?? ''
  const colon = credentials.indexOf(':')
  if (colon < 0) throw refused()
  const known = await checkNickAndPassword(request, credentials.slice(0, colon), credentials.slice(colon + 1))
  if (!known) throw refused()
  const { fresh, isAtKnownPlace } = known
  const { two_factor_provider: provider } = known.account
  const account = provider ? withCodeProved(known.account) : known.account
  if (provider) {
    const code = request.headers.get(codeHeader())
    if (!code) throw new Unauthorized({ schemes: ['Basic'], codeRequired: await askForCode(account) })
    const { right, ...helps } = await checkCode(request, account, code)
    if (!right) throw new Unauthorized({ schemes: ['Basic'], codeRequired: { type: provider, ...helps } })
  }
  // Programs send the password with each request, so only a fresh one counts as a sign-in.
  else if (fresh) await transaction((trx) => recordSignIn(trx, { request, account, factors: 'password' }))
  else if (!isAtKnownPlace) await transaction((trx) => recordPlace(trx, request, account.id))
  const session = newSession(account.id, account.token_epoch)
  return {
    caller: callerOf(account),
    session,
    inConsole: false,
    proof: 'sent',
    duty: dutyOf(account, false),
  }
}
