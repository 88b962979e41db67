import type { WriteContext } from '#lib/caller/auth/context.server'
import { setCredentials } from '#lib/caller/auth/credentials.server'
import { passwordFault } from '#lib/caller/auth/password-rules.server'
import { beginAnew } from '#lib/caller/auth/sessions.server'
import type { Trx } from '#lib/db/db.server'
import { clientAddress } from '#lib/ground/http/client-address.server'
import { ApiError, fieldFault } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { endInvitationOf } from '#lib/people/identity/invitations.server'
import type { PreparedPassword } from '#lib/people/identity/user-passwords.server'
import type { Context, Note } from '#lib/record/events/operation.server'
import { notify } from '#lib/record/mail/outbox.server'

type NewPassword = {
  userId: number
  hash: string
  by: 'user' | 'administrator'
  request: Exchange
  note: Note
}

/**
 * Sets the password, revokes links to set one and notifies the user. A password that an administrator chose must be changed at the
 * next sign-in.
 */
export async function setPassword(trx: Trx, { userId, hash, by, request, note }: NewPassword): Promise<void> {
  await setCredentials(trx, userId, { password_hash: hash, first_login: by === 'user' ? 0 : 1, invited: 0 })
  await endInvitationOf(trx, userId)
  await trx.deleteFrom('password_resets').where('user_id', '=', userId).execute()
  note('password', undefined, 'changed')
  const address = by === 'user' ? { address: clientAddress(request) } : {}
  await notify(trx, userId, { kind: 'password-changed', by, ...address })
}

type Changing = Context &
  WriteContext & { body: { password: string; oldPassword: string }; prepared: PreparedPassword }

/** Changes the caller's password. Requires the old one. Ends all sessions; the caller continues in a new one. */
export async function changeOwnPassword(context: Changing): Promise<void> {
  const { request, caller, db, body, prepared, note } = context
  const weak = passwordFault(body.password, caller.nick)
  if (weak) throw new ApiError(weak)
  if (body.password === body.oldPassword)
    throw new ApiError(fieldFault('CONSTR-PATTERN', 'password', 'must differ from the old password'))
  const { password_hash } = await db
    .selectFrom('users')
    .where('id', '=', caller.id)
    .select('password_hash')
    .executeTakeFirstOrThrow()
  const { hash, old } = prepared
  if (!hash || !old?.correct || old.stored !== password_hash) throw new ApiError('SIGN-IN-3')
  await setPassword(db, { userId: caller.id, hash, by: 'user', request, note })
  context.continueAs(await beginAnew(context))
}
