import { proveOwnCode } from '#lib/auth/password-sign-in.server'
import type { Caller } from '#lib/auth/privileges'
import type { TwoFactorCredentials } from '#lib/auth/session.schema'
import { isBasic } from '#lib/auth/strategies/basic.server'
import { disableTwoFactor, enableTwoFactor } from '#lib/auth/two-factor.server'
import { Unauthorized } from '#lib/auth/unauthorized'
import type { Db } from '#lib/db/db.server'
import { ApiError, type ErrorCode } from '#lib/http/errors'
import { codeHeader } from '#lib/http/names.server'
import type { Asking, Note, Sent } from '#lib/http/spec'
import { findUser, type UserPath } from '#lib/identity/users.server'

/** Two factor is everybody's own business: for another user it is refused with the code. */
const requireSelf = (code: ErrorCode) => async (asked: { caller: Caller; db: Db; params: UserPath }) => {
  const user = await findUser(asked, asked.params)
  if (user.id !== asked.caller.id) throw new ApiError(code)
  return user
}

export const requireSelfToEnable = requireSelf('2FA-4')
export const requireSelfToDisable = requireSelf('2FA-6')

type Enabling = Asking & { body: { type: string }; note: Note }

export async function enableOwnTwoFactor({
  caller,
  db,
  body,
  note,
}: Enabling): Promise<TwoFactorCredentials> {
  const credentials = await enableTwoFactor(db, caller, body.type)
  note('twoFactorProvider', undefined, credentials.provider)
  return credentials
}

/** Whether the code of the request is right: it is used up before the change begins, and a wrong one is counted. */
export async function proveWithHeader({ request, caller, params }: Sent<keyof UserPath>): Promise<boolean> {
  const code = request.headers.get(codeHeader())
  if (!code || params.user !== caller.id) return false
  // A Basic request has used its code to authenticate: this very code is its proof.
  return isBasic(request) || proveOwnCode(request, caller, code)
}

/** The request brings a code, whatever mechanism authenticated it. */
export async function disableOwnTwoFactor(
  context: Asking & { prepared: boolean; params: UserPath; note: Note },
): Promise<void> {
  const { caller, db, prepared: proved, note } = context
  const { two_factor_provider: provider } = await requireSelfToDisable(context)
  if (!provider) throw new ApiError('2FA-7')
  if (!proved) throw new Unauthorized({ schemes: ['Basic'], codeRequired: provider })
  await disableTwoFactor(db, caller.id)
  note('twoFactorProvider', provider, undefined)
}
