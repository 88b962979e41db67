import { isAllowedFrom } from '#lib/caller/auth/allowed-addresses.server'
import { type Account, findAccount } from '#lib/caller/auth/caller.server'
import { checkPassword, comparePassword, wasVerified } from '#lib/caller/auth/passwords.server'
import type { CodeRequest } from '#lib/caller/auth/unauthorized'
import { transaction } from '#lib/db/db.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { lockoutCounters } from '#lib/people/sign-in/lockout.server'
import {
  recordRefusedSignIn,
  recordSignIn,
  type SignInRefusal,
} from '#lib/people/sign-in/sign-in-events.server'
import { checkAttempt, requireSameAnswer } from '#lib/people/sign-in/throttle.server'
import { twoFactorState } from '#lib/people/sign-in/two-factor.server'
import { attemptCode, mailCode, type Verdict } from '#lib/people/sign-in/two-factor-codes.server'

/* Nick and password, then the code: shared by Basic and the console. */

/** `fresh`: the password was hashed, because it was not recently verified. `isAtKnownPlace`: false if the place was not looked up. */
type Known = { account: Account; fresh: boolean; isAtKnownPlace: boolean }

/** The account with this nick and password, or null. Only the event has the reason of a refusal. Throws TooManyAttempts. */
export async function checkNickAndPassword(
  request: Exchange,
  nick: string,
  password: string,
): Promise<Known | null> {
  const account = await findAccount(nick)
  const isAllowed = account !== undefined && isAllowedFrom(account, request)
  const found: { known?: Known; reason: SignInRefusal } = { reason: 'password' }
  const right = await checkAttempt(
    {
      kind: 'password',
      nick,
      userId: account?.id,
      request,
      lockout: isAllowed ? lockoutCounters(request, account) : [],
    },
    async () => {
      Object.assign(found, await judge(request, nick, password))
      return found.known !== undefined
    },
    () => isAllowed && wasVerified(account.password_hash, password),
  )
  if (right && account) return found.known ?? { account, fresh: false, isAtKnownPlace: true }
  await recordRefusedSignIn(request, nick, found.reason)
  await requireSameAnswer({ userId: account?.id, request })
  return null
}

/** Reads the account again, because other attempts may have locked it while this one waited. */
async function judge(
  request: Exchange,
  nick: string,
  password: string,
): Promise<{ known: Known } | { reason: SignInRefusal }> {
  const account = await findAccount(nick)
  if (!account) await checkPassword(undefined, password)
  // From an address that is not allowed, the check takes as long for a correct password as for a wrong one.
  else if (!isAllowedFrom(account, request)) {
    if (await comparePassword(account.password_hash, password)) return { reason: 'address' }
  } else {
    const verdict = await checkPassword(account.password_hash, password)
    if (verdict !== 'wrong') return { known: { account, fresh: verdict === 'right', isAtKnownPlace: false } }
  }
  return { reason: 'password' }
}

/** Uses up the code and records the sign-in in one transaction. Throws TooManyAttempts. */
export async function checkCode(request: Exchange, account: Account, code: string): Promise<Verdict> {
  const verdict = await attemptCode({ request, user: account, code }, (trx, by) =>
    recordSignIn(trx, { request, account, factors: by ? `password, ${by}` : 'password' }),
  )
  if (!verdict.right) await recordRefusedSignIn(request, account.nick, 'code')
  return verdict
}

/** Uses up a code of the caller. Without two factor the verdict is wrong, and no attempt is counted. */
export async function proveOwnCode(
  request: Exchange,
  caller: Pick<Account, 'id' | 'nick'>,
  code: string,
): Promise<Verdict> {
  if (!(await twoFactorState(caller.id)).provider) return { right: false }
  return attemptCode({ request, user: caller, code })
}

/** The request for a missing code. Mails the code if the user gets codes by mail. */
export async function askForCode({
  id,
  two_factor_provider: type,
}: Pick<Account, 'id' | 'two_factor_provider'>): Promise<CodeRequest> {
  if (type !== 'EMAIL') return { type: type ?? 'none' }
  const { resendIn } = await transaction((trx) => mailCode(trx, id))
  return { type, resendIn }
}
