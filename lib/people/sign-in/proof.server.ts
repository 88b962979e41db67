import { accountById } from '#lib/caller/auth/caller.server'
import type { PasskeyAssertion } from '#lib/caller/auth/passkey.schema'
import { checkPassword } from '#lib/caller/auth/passwords.server'
import type { Caller } from '#lib/caller/auth/privileges'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { lockoutCounters } from '#lib/people/sign-in/lockout.server'
import { proveWithPasskey } from '#lib/people/sign-in/passkeys.server'
import { proveOwnCode } from '#lib/people/sign-in/password-sign-in.server'
import { checkAttempt } from '#lib/people/sign-in/throttle.server'
import type { Verdict } from '#lib/people/sign-in/two-factor-codes.server'

/* Users prove their identity again, by password or code, before changes that would let the thief of a session take over the account. */

type OldPassword = { stored: string; correct: boolean }

/**
 * Compares a password in the request with the caller's. A wrong password counts as one failure per request, even if several parts of the
 * request compare it. Throws TooManyAttempts.
 */
export function compareOldPassword(
  request: Exchange,
  caller: Caller,
  oldPassword: string,
): Promise<OldPassword> {
  request.oldPassword ??= compare(request, caller, oldPassword)
  return request.oldPassword
}

async function compare(request: Exchange, caller: Caller, oldPassword: string): Promise<OldPassword> {
  const { id, nick, enterpriseId } = caller
  const lockout = lockoutCounters(request, { id, nick, enterprise_id: enterpriseId })
  let stored = ''
  const correct = await checkAttempt({ kind: 'password', nick, userId: id, request, lockout }, async () => {
    // Read after the wait, because an attempt before this one may have locked the user.
    const account = await accountById(id)
    stored = account?.password_hash ?? ''
    return account !== undefined && (await checkPassword(stored, oldPassword)) !== 'wrong'
  })
  return { stored, correct }
}

/** The proofs of identity in a request; one is enough. */
export type Evidence = {
  oldPassword?: string | undefined
  code?: string | undefined
  passkey?: PasskeyAssertion | undefined
}

export type Finding = Verdict & { of: 'password' | 'code' | 'passkey' }

/** Checks the evidence; undefined if there is none. Uses up the code and counts failures. Throws TooManyAttempts. */
export async function judge(
  request: Exchange,
  caller: Caller,
  { oldPassword, code, passkey }: Evidence,
): Promise<Finding | undefined> {
  if (passkey) return { right: await proveWithPasskey(request, caller, passkey), of: 'passkey' }
  if (oldPassword !== undefined) {
    const { correct } = await compareOldPassword(request, caller, oldPassword)
    if (correct || code === undefined) return { right: correct, of: 'password' }
  }
  return code === undefined ? undefined : { ...(await proveOwnCode(request, caller, code)), of: 'code' }
}
