import { createHash, randomBytes } from 'node:crypto'
import type { WriteContext } from '#lib/caller/auth/context.server'
import { setCredentials } from '#lib/caller/auth/credentials.server'
import { isOidcOn, isSamlOn } from '#lib/caller/auth/modes.server'
import type { Db, Trx } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf, siteAddress } from '#lib/ground/http/origin.server'
import { ANY_ID } from '#lib/ground/http/path-ids'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { holdsMore, holdsMoreFault, type Target } from '#lib/people/identity/user-rules.server'
import { type InvitationInput, type Invite, SERVICE } from '#lib/people/identity/users.schema'
import { findUser, userView } from '#lib/people/identity/users.server'
import type { Note } from '#lib/record/events/operation.server'
import { isMailAddress, notify, sendsMail } from '#lib/record/mail/outbox.server'

/* An invited user has no password: they choose how to sign in by a link, which works once. The server keeps a hash of its token. */

const HOUR = 3_600_000

export const invitationHash = (token: string): string =>
  createHash('sha256').update(token).digest('base64url')

/** With an identity provider, people sign in there. Throws USER-28. */
export function requireInvitations(): void {
  if (isOidcOn() || isSamlOn()) throw new ApiError('USER-28')
}

async function newLink(trx: Trx, userId: number): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expires_at = Date.now() + env().INVITATION_HOURS * HOUR
  const values = { token_hash: invitationHash(token), expires_at }
  await trx
    .insertInto('invitations')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
  // A fragment is never sent to a server, so the token appears in no log and no Referer header.
  return `/invitation#${token}`
}

type Inviting = { request: Exchange; user: { id: number; nick: string; email: string }; how: Invite }

/** Makes the user's only valid link. Mails it, or returns it if the caller wants it or no mail can reach the user. */
export async function inviteUser(
  trx: Trx,
  { request, user, how }: Inviting,
): Promise<{ invitation?: string }> {
  await setCredentials(trx, user.id, { invited: 1 })
  const path = await newLink(trx, user.id)
  if (how === 'link' || !sendsMail() || !isMailAddress(user.email))
    return { invitation: `${baseOf(request)}${path}` }
  const { INVITATION_HOURS: hours } = env()
  const mail = { kind: 'invitation' as const, href: `${siteAddress()}${path}`, nick: user.nick, hours }
  await notify(trx, user.id, mail, { patience: hours * HOUR })
  return {}
}

type Again = WriteContext & {
  request: Exchange
  found: Target
  body: InvitationInput | undefined
  note: Note
}

/** A new link for a user who has not used theirs. Throws GEN-15, USER-26, USER-27, USER-28. */
export async function inviteAgain(context: Again): Promise<UserDocument> {
  const { request, caller, db, found: user, body, note } = context
  if (await holdsMore(context, user)) throw new ApiError(holdsMoreFault)
  if (user.auth_type === SERVICE) throw new ApiError('USER-26')
  requireInvitations()
  if (user.invited === 0) throw new ApiError('USER-27')
  const link = await inviteUser(db, { request, user, how: body?.invite ?? true })
  note('invitation', undefined, 'renewed')
  return { ...userView(await findUser({ caller, db }, { enterprise: ANY_ID, user: user.id })), ...link }
}

/** Ends the link of the user, who stays invited. */
export const endInvitationOf = (trx: Trx, userId: number): Promise<unknown> =>
  trx.deleteFrom('invitations').where('user_id', '=', userId).execute()

/** The user of a link that is still valid. */
export const findInvited = (db: Db, token: string) =>
  db
    .selectFrom('invitations')
    .innerJoin('users', 'users.id', 'invitations.user_id')
    .innerJoin('enterprises', 'enterprises.id', 'users.enterprise_id')
    .where('invitations.token_hash', '=', invitationHash(token))
    .where('invitations.expires_at', '>', Date.now())
    .select(['users.id', 'users.nick', 'users.name', 'users.locale', 'invitations.expires_at'])
    .select(['enterprises.name as enterprise', 'enterprises.two_factor_mandatory'])
    .executeTakeFirst()

/** Uses up the link. False if it was used, replaced or has expired meanwhile. */
export async function useInvitation(trx: Trx, token: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('invitations')
    .where('token_hash', '=', invitationHash(token))
    .where('expires_at', '>', Date.now())
    .executeTakeFirst()
  return numDeletedRows === 1n
}
