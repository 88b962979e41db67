import { endAccessTokensOf } from '#lib/caller/auth/access-tokens.server'
import { isLastAdministrator } from '#lib/caller/auth/administrators.server'
import { endSessionsOf } from '#lib/caller/auth/sessions.server'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { endAuthorizationsOf } from '#lib/caller/oauth/applications.server'
import { database, type Trx } from '#lib/db/db.server'
import { endsText } from '#lib/ground/http/ends.schema'
import { endMailedOf } from '#lib/people/identity/email-changes.server'
import { modifiedNow } from '#lib/people/identity/users.server'
import { endPasskeysOf } from '#lib/people/sign-in/passkeys.server'
import type { EndTurn } from '#lib/record/events/ending.server'
import type { NewEvent } from '#lib/record/events/record.server'

/* Users whose time is over (docs/api.md, "Ends"). */

/** All by which a user who becomes inactive could sign in again, or act. */
export async function endCredentialsOf(trx: Trx, user: number): Promise<void> {
  await endAccessTokensOf(trx, user)
  await endPasskeysOf(trx, user)
  await endAuthorizationsOf(trx, user)
  await endMailedOf(trx, user)
}

/** The user, if their time is over and no other process ends them at the moment. */
const claimed = (trx: Trx, id: number, now: number) =>
  trx
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .where('users.id', '=', id)
    .where('users.ends_at', '<=', now)
    .select(['users.id', 'users.nick', 'users.enterprise_id', 'users.active', 'users.ends_at as at'])
    .select('roles.blocked as cloud_admin')
    .$if(database().engine === 'postgres', (query) => query.forUpdate('users').skipLocked())
    .executeTakeFirst()

/**
 * The user becomes inactive, as by hand, and has no end any more. They stay active if they are the last cloud administrator, or if the user
 * who set the end may not change them any more. Returns the event.
 */
export async function endUser(
  trx: Trx,
  id: number,
  { now, refusal }: EndTurn,
): Promise<NewEvent | undefined> {
  const user = await claimed(trx, id, now)
  if (!user) return undefined
  const { nick: name, enterprise_id: enterprise } = user
  const isActive = user.active === 1
  const path = pathOf(kinds.user, { enterprise, id })
  const isLast = isActive && user.cloud_admin === 1 && (await isLastAdministrator(trx, id))
  const refused = await refusal({ seenAt: path, changedAt: path })
  const reason = isLast ? 'USER-25' : refused
  const stays = reason !== undefined
  await trx
    .updateTable('users')
    .set({ ends_at: null, ...(!stays && { active: 0, ...modifiedNow() }) })
    .where('id', '=', id)
    .execute()
  if (isActive && !stays) {
    await endCredentialsOf(trx, id)
    await endSessionsOf(trx, id)
  }
  return {
    action: stays ? 'end-refused' : 'end',
    changes: {
      ends: { before: endsText(user.at) },
      ...(isActive && !stays && { active: { before: 'true', after: 'false' } }),
      ...(stays && { reason: { after: reason } }),
    },
    by: undefined,
    entity: { type: 'user', id, name, path, place: { enterprise }, was: { enterprise } },
    documentPath: path,
    undoable: !stays,
  }
}
