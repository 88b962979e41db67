import type { Caller } from '#lib/auth/privileges'
import type { TwoFactorCredentials } from '#lib/auth/session.schema'
import { isBasic } from '#lib/auth/strategies/basic.server'
import { acceptCode, disableTwoFactor, enableTwoFactor } from '#lib/auth/two-factor.server'
import { Unauthorized } from '#lib/auth/unauthorized'
import type { Db, Trx } from '#lib/db/db.server'
import { ApiError, type ErrorCode } from '#lib/http/errors'
import { codeHeader } from '#lib/http/names.server'
import { findUser, type UserPath } from '#lib/identity/users.server'

/** Two factor is everybody's own business: for another user it is refused with the code. */
const requireSelf = (code: ErrorCode) => async (asked: { caller: Caller; db: Db; params: UserPath }) => {
  const user = await findUser(asked, asked.params)
  if (user.id !== asked.caller.id) throw new ApiError(code)
  return user
}

export const requireSelfToEnable = requireSelf('2FA-4')
export const requireSelfToDisable = requireSelf('2FA-6')

type Asking = { caller: Caller; db: Trx }

export const enableOwnTwoFactor = ({
  caller,
  db,
  body,
}: Asking & { body: { type: string } }): Promise<TwoFactorCredentials> =>
  enableTwoFactor(db, caller, body.type)

/** The request brings a code, whatever mechanism authenticated it. */
export async function disableOwnTwoFactor(
  context: Asking & { request: Request; params: UserPath },
): Promise<void> {
  const { caller, db, request } = context
  const { two_factor_provider: provider } = await requireSelfToDisable(context)
  if (!provider) throw new ApiError('2FA-7')
  const code = request.headers.get(codeHeader())
  // A Basic request has used its code to authenticate: this very code is its proof.
  const proved = code && (isBasic(request) || (await acceptCode(db, caller.id, code)))
  if (!proved) throw new Unauthorized({ schemes: ['Basic'], codeRequired: provider })
  await disableTwoFactor(db, caller.id)
}
