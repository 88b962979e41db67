import { accountById, callerOf } from '#lib/caller/auth/caller.server'
import type { ReadContext, WriteContext } from '#lib/caller/auth/context.server'
import { endSessionsOf } from '#lib/caller/auth/sessions.server'
import type { Db, Trx } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import { ANY_ID } from '#lib/ground/http/path-ids'
import { changeableUserTarget } from '#lib/people/identity/user-changes.server'
import { holdsMore, holdsMoreFault, type Target } from '#lib/people/identity/user-rules.server'
import { SERVICE } from '#lib/people/identity/users.schema'
import { endPasskeysOf } from '#lib/people/sign-in/passkeys.server'
import { disableTwoFactor } from '#lib/people/sign-in/two-factor.server'
import type { Note } from '#lib/record/events/operation.server'
import { notify } from '#lib/record/mail/outbox.server'

/* For users who have lost both phone and scratch codes. Administrators cannot reset themselves. With two approvals none can act alone. */

const DAY = 24 * 60 * 60 * 1000

type Reset = { links: []; approvals: number; approvalsNeeded: number; done: boolean }

/**
 * Turns two factor off for another user, and ends their passkeys and sessions. If two approvals are needed, the second one does this. Another
 * administrator must give it within a day. Throws GEN-15, 2FA-7, 2FA-12.
 */
export async function resetTwoFactorOf(
  context: WriteContext & { found: Target; note: Note },
): Promise<Reset> {
  const { caller, db, found: user, note } = context
  if (user.own) throw new ApiError(fault('GEN-15', 'You cannot reset your own two factor authentication'))
  if (await holdsMore(context, user)) throw new ApiError(holdsMoreFault)
  if (!user.two_factor_provider) throw new ApiError('2FA-7')
  const { TWO_FACTOR_RESET_APPROVALS: approvalsNeeded } = env()
  if (approvalsNeeded > 1) await requireOther(context, undefined)
  const approvals = approvalsNeeded === 1 ? 1 : await approve(db, user.id, caller.id)
  note('approvals', undefined, `${approvals} of ${approvalsNeeded}`)
  const done = approvals >= approvalsNeeded
  if (done) {
    note('twoFactorProvider', user.two_factor_provider, undefined)
    await disableTwoFactor(db, user.id)
    await endPasskeysOf(db, user.id)
    await endSessionsOf(db, user.id)
    await notify(db, user.id, { kind: 'two-factor-reset' })
  }
  return { links: [], approvals, approvalsNeeded, done }
}

/**
 * With two approvals, a different person than the one who began must confirm. A service account is no person: it may act for the maker of
 * its token. Throws GEN-15.
 */
export async function requireOther(
  { caller, db }: ReadContext,
  first: number | null | undefined,
): Promise<void> {
  const { auth_type } = await db
    .selectFrom('users')
    .where('id', '=', caller.id)
    .select('auth_type')
    .executeTakeFirstOrThrow()
  if (auth_type === SERVICE || first === caller.id)
    throw new ApiError(fault('GEN-15', 'Another administrator must do this, and no service account'))
}

/** The number of approvals, this one included. */
async function approve(trx: Trx, userId: number, by: number): Promise<number> {
  const now = Date.now()
  const first = await trx
    .selectFrom('two_factor_resets')
    .where('user_id', '=', userId)
    .where('requested_at', '>', now - DAY)
    .select('requested_by')
    .executeTakeFirst()
  if (first?.requested_by === by) throw new ApiError('2FA-12')
  if (first && (await mayReset(trx, first.requested_by, userId))) return 2
  const values = { requested_by: by, requested_at: now }
  await trx
    .insertInto('two_factor_resets')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
  return 1
}

/** Whether they may reset this user now, by their account, their privileges and their sight. */
export async function mayReset(db: Db, by: number, user: number): Promise<boolean> {
  const account = await accountById(by, db)
  if (!account) return false
  const context = { caller: callerOf(account), db }
  try {
    const target = await changeableUserTarget.find(context, { enterprise: ANY_ID, user })
    return !(await holdsMore(context, target))
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
