import type { Db } from '#lib/db/db.server'
import { mayReset } from '#lib/people/identity/two-factor-resets.server'
import { SERVICE } from '#lib/people/identity/users.schema'
import type { SignedIn } from '#lib/people/sign-in/sign-in-events.server'
import { isMailAddress } from '#lib/record/mail/outbox.server'

/* The administrators who can help a user who has lost both phone and scratch codes. */

/** Administrators that get the mail, and those that are looked at. */
const MOST = 5
const LOOKED_AT = 25

const managers = (db: Db, user: SignedIn) =>
  db
    .selectFrom('users')
    .where('users.role_id', 'in', (roles) =>
      roles.selectFrom('role_privileges').where('privilege', '=', 'USERS_MANAGE_USERS').select('role_id'),
    )
    .where('users.id', '<>', user.id)
    .where('users.active', '=', 1)
    .where('users.locked', '=', 0)
    .where('users.invited', '=', 0)
    .where('users.auth_type', '<>', SERVICE)
    .where('users.email', '<>', '')
    .select(['users.id', 'users.email'])
    .orderBy('users.id')
    .limit(LOOKED_AT)

const ofEnterprise = (db: Db, user: SignedIn) =>
  managers(db, user).where('users.enterprise_id', '=', user.enterprise_id).execute()

const ofOthers = (db: Db, user: SignedIn) =>
  managers(db, user)
    .where('users.enterprise_id', '<>', user.enterprise_id)
    .where('users.role_id', 'in', (roles) =>
      roles
        .selectFrom('role_privileges')
        .where('privilege', '=', 'USERS_MANAGE_OTHER_ENTERPRISES')
        .select('role_id'),
    )
    .execute()

/** Those who have a mail address and may reset the user: of their enterprise, else of others. */
export async function helpersOf(db: Db, user: SignedIn): Promise<number[]> {
  for (const candidates of [ofEnterprise, ofOthers]) {
    const found: number[] = []
    for (const { id, email } of await candidates(db, user))
      if (found.length < MOST && isMailAddress(email) && (await mayReset(db, id, user.id))) found.push(id)
    if (found.length > 0) return found
  }
  return []
}
