import { isAllowedFrom } from '#lib/auth/allowed-addresses.server'
import { type Account, callerOf, findAccount } from '#lib/auth/caller.server'
import { checkPassword } from '#lib/auth/passwords.server'
import { recordRefusedSignIn, recordSignIn } from '#lib/auth/sign-in-events.server'
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
  const nick = credentials.slice(0, colon)
  const account = await findAccount(nick)
  const verdict = await checkPassword(account?.password_hash, credentials.slice(colon + 1))
  if (!account || verdict === 'wrong' || !isAllowedFrom(account, request)) {
    await recordRefusedSignIn(request, nick, verdict === 'wrong' ? 'password' : 'address')
    throw refused()
  }
  if (account.two_factor_provider) await requireCode(request, account, account.two_factor_provider)
  // A program sends its password with each request: it has signed in once.
  else if (verdict === 'right') await transaction((trx) => recordSignIn(trx, request, account))
  const session = newSession(account.id, account.token_epoch)
  return { caller: await callerOf(account), session, inConsole: false }
}

async function requireCode(request: Request, account: Account, provider: string): Promise<void> {
  const refusal = new Unauthorized({ schemes: ['Basic'], codeRequired: provider })
  const code = request.headers.get(codeHeader())
  if (!code) throw refusal
  const accepted = await transaction(async (trx) => {
    const right = await acceptCode(trx, account.id, code)
    if (right) await recordSignIn(trx, request, account)
    return right
  })
  if (accepted) return
  await recordRefusedSignIn(request, account.nick, 'code')
  throw refusal
}
