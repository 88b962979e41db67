import { isAllowedFrom } from '#lib/auth/allowed-addresses.server'
import { type Account, findAccount } from '#lib/auth/caller.server'
import { checkPassword } from '#lib/auth/passwords.server'
import { recordRefusedSignIn, recordSignIn, type SignInRefusal } from '#lib/auth/sign-in-events.server'
import { guess } from '#lib/auth/throttle.server'
import { acceptCode, twoFactorState } from '#lib/auth/two-factor.server'
import { transaction } from '#lib/db/db.server'

/* Nick and password, then the code: the same for Basic and for the console. */

/** The account; `fresh`: its password was not verified lately. */
export type Known = { account: Account; fresh: boolean }

/** The account behind nick and password, or null whatever is wrong; that is told by an event alone. Throws TooManyAttempts. */
export async function checkNickAndPassword(
  request: Request,
  nick: string,
  password: string,
): Promise<Known | null> {
  const account = await findAccount(nick)
  let fresh = true
  let reason: SignInRefusal = 'password'
  const right = await guess({ guess: 'password', nick, request }, async () => {
    const verdict = await checkPassword(account?.password_hash, password)
    fresh = verdict === 'right'
    if (!account || verdict === 'wrong') return false
    reason = 'address'
    return isAllowedFrom(account, request)
  })
  if (account && right) return { account, fresh }
  await recordRefusedSignIn(request, nick, reason)
  return null
}

/** Uses up the code and signs in, in one transaction; false where the code is wrong. Throws TooManyAttempts. */
export async function checkCode(request: Request, account: Account, code: string): Promise<boolean> {
  const right = await guess({ guess: 'code', nick: account.nick, request }, () =>
    transaction(async (trx) => {
      const accepted = await acceptCode(trx, account.id, code)
      if (accepted) await recordSignIn(trx, request, account)
      return accepted
    }),
  )
  if (!right) await recordRefusedSignIn(request, account.nick, 'code')
  return right
}

/** Whether who is signed in already has a code of his own, which is used up. Without two factor there is none to guess. */
export async function proveOwnCode(
  request: Request,
  { id, nick }: Pick<Account, 'id' | 'nick'>,
  code: string,
): Promise<boolean> {
  if (!(await twoFactorState(id)).provider) return false
  return guess({ guess: 'code', nick, request }, () => transaction((trx) => acceptCode(trx, id, code)))
}
