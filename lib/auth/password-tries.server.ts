import type { Account } from '#lib/auth/caller.server'
import { entityOf } from '#lib/auth/sign-in-events.server'
import { database, type Trx, transaction } from '#lib/db/db.server'
import { env } from '#lib/env.server'
import { insertEvent } from '#lib/events/record.server'

/* The policy PASSWORD_TRIES: so many wrong passwords in a row lock the user, wherever they came from; 0: none do. */

const keyOf = (userId: number): string => `tries ${userId}`

const triesOf = (db: Trx | ReturnType<typeof database>['read'], userId: number) =>
  db.selectFrom('sign_in_failures').where('key', '=', keyOf(userId)).select('failures').executeTakeFirst()

/** Locks the user at the last try. The last administrator is never locked: nobody could let him in again. */
export async function countWrongPassword(request: Request, account: Account | undefined): Promise<void> {
  const { PASSWORD_TRIES } = env()
  if (PASSWORD_TRIES === 0 || !account) return
  await transaction(async (trx) => {
    const now = Date.now()
    const failures = ((await triesOf(trx, account.id))?.failures ?? 0) + 1
    const values = { failures, since: now, last: now, waits: 0, blocked_until: 0 }
    await trx
      .insertInto('sign_in_failures')
      .values({ key: keyOf(account.id), ...values })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
      .execute()
    if (failures < PASSWORD_TRIES || (await isLastAdministrator(trx, account.id))) return
    await trx
      .updateTable('users')
      .set((set) => ({ locked: 1, token_epoch: set('token_epoch', '+', 1) }))
      .where('id', '=', account.id)
      .execute()
    await trx.deleteFrom('sign_in_failures').where('key', '=', keyOf(account.id)).execute()
    await insertEvent(trx, {
      request,
      action: 'lock',
      changes: { locked: { before: 'false', after: 'true' } },
      ...entityOf(account),
      by: undefined,
    })
  })
}

/** A right password begins the count again; without the policy nothing is even read. */
export async function forgetWrongPasswords(userId: number): Promise<void> {
  if (env().PASSWORD_TRIES === 0 || !(await triesOf(database().read, userId))) return
  await transaction((trx) => trx.deleteFrom('sign_in_failures').where('key', '=', keyOf(userId)).execute())
}

async function isLastAdministrator(trx: Trx, userId: number): Promise<boolean> {
  const administrators = await trx
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .where('roles.blocked', '=', 1)
    .where('users.active', '=', 1)
    .where('users.locked', '=', 0)
    .select('users.id')
    .limit(2)
    .execute()
  return administrators.length === 1 && administrators[0]?.id === userId
}
