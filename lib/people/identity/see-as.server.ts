import { accountById, callerOf } from '#lib/caller/auth/caller.server'
import type { ReadContext, WriteContext } from '#lib/caller/auth/context.server'
import { type Caller, can, type Privilege } from '#lib/caller/auth/privileges'
import { beginView, type Seen } from '#lib/caller/auth/sessions.server'
import type { Session } from '#lib/caller/auth/tokens.server'
import { seesEnterprise } from '#lib/caller/scopes/visibility.server'
import { database } from '#lib/db/db.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import { isWithinReach } from '#lib/people/identity/grants.server'
import { holdsMoreFault } from '#lib/people/identity/user-rules.server'
import type { UserRow } from '#lib/people/identity/users.server'

/* The view of another user (docs/api/authorization.md, "See the console as another user"). */

/** Those who may ask why a user may do something. */
export const viewers = ['USERS_VIEW'] as const satisfies readonly Privilege[]

/** A privilege that counts in the user's own enterprise, and the one that counts for it elsewhere. */
const elsewhere: readonly [own: Privilege, other: Privilege][] = [
  ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL'],
  ['USERS_MANAGE_USERS', 'USERS_MANAGE_OTHER_ENTERPRISES'],
]

/** True if the user sees nothing and may do nothing that the caller does not see or may not do. */
async function covers({ caller, db }: ReadContext, seen: Caller): Promise<boolean> {
  const holds = (privilege: Privilege) => caller.privileges.has(privilege)
  if (![...seen.privileges].every(holds)) return false
  if (seen.enterpriseId !== caller.enterpriseId) {
    // Users read their own enterprise without a privilege.
    if (!holds('ENTERPRISE_ENUMERATE')) return false
    if (elsewhere.some(([own, other]) => seen.privileges.has(own) && !holds(other))) return false
  }
  const visible = await db
    .selectFrom('users')
    .where('id', '=', seen.id)
    .where(seesEnterprise(caller, 'enterprise_id'))
    .select('id')
    .executeTakeFirst()
  return visible !== undefined && isWithinReach({ caller, db }, seen.scope.id)
}

/** The user as the caller of a request, if the viewer may see what they see at this moment. */
export async function seenBy(viewer: Caller, { user, epoch }: Seen): Promise<Caller | undefined> {
  if (!can(viewer, viewers)) return undefined
  const account = await accountById(user)
  const seen = account?.token_epoch === epoch ? callerOf(account) : undefined
  return seen && (await covers({ caller: viewer, db: database().read }, seen)) ? seen : undefined
}

type Beginning = WriteContext & { found: UserRow; session: Session }

/** From now on the session shows what the user sees. Throws GEN-15, SEE-AS-3. */
export async function seeAs({ caller, db, found: user, session }: Beginning): Promise<void> {
  if (user.id === caller.id) throw new ApiError(fault('GEN-15', 'You see the console as yourself already'))
  const account = await accountById(user.id, db)
  if (!account) throw new ApiError('SEE-AS-3')
  if (!(await covers({ caller, db }, callerOf(account)))) throw new ApiError(holdsMoreFault)
  await beginView(db, session, { user: user.id, epoch: account.token_epoch })
}
