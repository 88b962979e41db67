import { accountById } from '#lib/auth/caller.server'
import { checkPassword } from '#lib/auth/passwords.server'
import type { Caller } from '#lib/auth/privileges'
import { proveOwnCode } from '#lib/sign-in/password-sign-in.server'
import { triesOf } from '#lib/sign-in/password-tries.server'
import { guess } from '#lib/sign-in/throttle.server'
import type { Verdict } from '#lib/sign-in/two-factor-codes.server'

/* Who is signed in shows the password or a code again before a change with which a thief of the session would keep the account. */

type OldPassword = { stored: string; correct: boolean }

const compared = new WeakMap<Request, Promise<OldPassword>>()

/**
 * Compares a password that a request brings with that of its caller. Wrong ones count as failures, once for each request, however many
 * parts of the request ask. Throws TooManyAttempts.
 */
export function compareOldPassword(
  request: Request,
  caller: Caller,
  oldPassword: string,
): Promise<OldPassword> {
  const known = compared.get(request) ?? compare(request, caller, oldPassword)
  compared.set(request, known)
  return known
}

async function compare(request: Request, caller: Caller, oldPassword: string): Promise<OldPassword> {
  const { id, nick, enterpriseId } = caller
  const tries = triesOf(request, { id, nick, enterprise_id: enterpriseId })
  let stored = ''
  const correct = await guess({ guess: 'password', nick, userId: id, request, tries }, async () => {
    // Read in its turn: a wrong password that was before it may have locked the user.
    const account = await accountById(id)
    stored = account?.password_hash ?? ''
    return account !== undefined && (await checkPassword(stored, oldPassword)) !== 'wrong'
  })
  return { stored, correct }
}

/** What a request brings to prove who asks; one of them is enough. */
export type Evidence = { oldPassword?: string | undefined; code?: string | undefined }

export type Finding = Verdict & { of: 'password' | 'code' }

/** Whether it proves who asks; undefined where there is nothing. A code is used up, and what is wrong is counted. Throws TooManyAttempts. */
export async function judge(
  request: Request,
  caller: Caller,
  { oldPassword, code }: Evidence,
): Promise<Finding | undefined> {
  if (oldPassword !== undefined) {
    const { correct } = await compareOldPassword(request, caller, oldPassword)
    if (correct || code === undefined) return { right: correct, of: 'password' }
  }
  return code === undefined ? undefined : { ...(await proveOwnCode(request, caller, code)), of: 'code' }
}
