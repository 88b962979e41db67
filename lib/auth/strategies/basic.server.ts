import { isAllowedFrom } from '#lib/auth/allowed-addresses.server'
import { callerOf, findAccount } from '#lib/auth/caller.server'
import { isPassword } from '#lib/auth/passwords.server'
import type { Strategy } from '#lib/auth/strategy'
import { newSession } from '#lib/auth/tokens.server'
import { acceptCode } from '#lib/auth/two-factor.server'
import { Unauthorized } from '#lib/auth/unauthorized'
import { transaction } from '#lib/db/db.server'
import { codeHeader } from '#lib/http/names.server'

const refused = () => new Unauthorized({ schemes: ['Basic'] })

/** Whether the request brings Basic credentials, right or wrong. */
export const isBasic = (request: Request): boolean =>
  /^basic( |$)/i.test(request.headers.get('authorization') ?? '')

/** Basic (RFC 7617, UTF-8). A user with two factor repeats the request with the code in X-Service-OTP. */
export const basic: Strategy = async (request) => {
  if (!isBasic(request)) return null
  const encoded = request.headers.get('authorization')?.slice(6) ?? ''
  const credentials = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = credentials.indexOf(':')
  if (colon < 0) throw refused()
  const account = await findAccount(credentials.slice(0, colon))
  const correct = await isPassword(account?.password_hash, credentials.slice(colon + 1))
  if (!account || !correct || !isAllowedFrom(account, request)) throw refused()
  if (account.two_factor_provider) {
    const code = request.headers.get(codeHeader())
    if (!code || !(await transaction((trx) => acceptCode(trx, account.id, code)))) {
      throw new Unauthorized({ schemes: ['Basic'], codeRequired: account.two_factor_provider })
    }
  }
  const session = newSession(account.id, account.token_epoch)
  return { caller: await callerOf(account), session, inConsole: false }
}
