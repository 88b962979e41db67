import { endAccessTokensOf } from '#lib/caller/auth/access-tokens.server'
import { isLastAdministrator } from '#lib/caller/auth/administrators.server'
import { endSessionsOf } from '#lib/caller/auth/sessions.server'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { endAuthorizationsOf } from '#lib/caller/oauth/applications.server'
import { database, type Trx } from '#lib/db/db.server'
import { together } from '#lib/db/statements.server'
import { endsText } from '#lib/ground/http/ends.schema'
import { endMailedOf } from '#lib/people/identity/email-changes.server'
import { modifiedNow } from '#lib/people/identity/users.server'
import { endPasskeysOf } from '#lib/people/sign-in/passkeys.server'
import { type Ended, isOver, type Verdict } from '#lib/record/events/ending.server'
import type { NewEvent } from '#lib/record/events/record.server'
import { passEnds } from '#lib/record/mail/end-notices.server'

/* Users whose time is over (docs/api/ends.md, "Ends"). */

/** All by which a user who becomes inactive could sign in again, or act. */
export const endCredentialsOf = (trx: Trx, user: number): Promise<unknown> =>
  together(
    endAccessTokensOf(trx, user),
    endPasskeysOf(trx, user),
    endAuthorizationsOf(trx, user),
    endMailedOf(trx, user),
  )

/** Those of these users whose time is over, and that no other process ends at the moment. */
export async function claimUsers(trx: Trx, ids: readonly number[], now: number) {
  const users = await trx
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .innerJoin('enterprises', 'enterprises.id', 'users.enterprise_id')
    .where('users.id', 'in', ids)
    .where(isOver('users.ends_at', now))
    .select(['users.id', 'users.nick', 'users.enterprise_id', 'users.active', 'users.ends_at as at'])
    .select(['users.role_id', 'users.scope_id', 'enterprises.default_scope_id'])
    .select('roles.blocked as cloud_admin')
    .$if(database().engine === 'postgres', (query) => query.forUpdate('users').skipLocked())
    .execute()
  return users.map((user) => {
    const path = pathOf(kinds.user, { enterprise: user.enterprise_id, id: user.id })
    const holds = { role: user.role_id, scope: user.scope_id ?? user.default_scope_id }
    return { ...user, seenAt: path, changedAt: path, holds }
  })
}

type ClaimedUser = Awaited<ReturnType<typeof claimUsers>>[number]

/**
 * The user becomes inactive, as by hand, and has no end any more. The ends that they set are those of the user who set theirs. The last cloud
 * administrator stays active, and so does a user whom the one who set the end may not change any more.
 */
export async function endUser(trx: Trx, user: ClaimedUser, { by, refused }: Verdict): Promise<Ended> {
  const { id, nick: name, enterprise_id: enterprise, seenAt: path } = user
  const isActive = user.active === 1
  const isLast = isActive && user.cloud_admin === 1 && (await isLastAdministrator(trx, id))
  const reason = isLast ? 'USER-25' : isActive ? refused : undefined
  const shuts = isActive && reason === undefined
  const event: NewEvent = {
    action: reason === undefined ? 'end' : 'end-refused',
    changes: {
      ...((reason === undefined || isLast) && { ends: { before: endsText(user.at) } }),
      ...(shuts && { active: { before: 'true', after: 'false' } }),
      ...(reason !== undefined && { reason: { after: reason } }),
    },
    by: undefined,
    entity: { type: 'user', id, name, path, place: { enterprise }, was: { enterprise } },
    documentPath: path,
    undoable: reason === undefined,
  }
  if (reason !== undefined && !isLast) return { event }
  const columns = { ends_at: null, ...(shuts && { active: 0 as const, ...modifiedNow() }) }
  const write = () =>
    together(
      trx.updateTable('users').set(columns).where('id', '=', id).execute(),
      ...(shuts ? [endCredentialsOf(trx, id), endSessionsOf(trx, id)] : []),
      ...(shuts && by !== undefined ? [passEnds(trx, { from: id, to: by })] : []),
    )
  return { event, write }
}
