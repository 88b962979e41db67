import { setCredentials } from '#lib/caller/auth/credentials.server'
import { generatePassword, hashPassword } from '#lib/caller/auth/passwords.server'
import { endSessionsOf } from '#lib/caller/auth/sessions.server'
import { type Trx, transaction } from '#lib/db/db.server'
import { requestOfThisMachine } from '#lib/ground/http/client-address.server'
import { endInvitationOf } from '#lib/people/identity/invitations.server'
import { SERVICE } from '#lib/people/identity/users.schema'
import { endPasskeysOf } from '#lib/people/sign-in/passkeys.server'
import { aboutUser } from '#lib/people/sign-in/sign-in-events.server'
import { disableTwoFactor } from '#lib/people/sign-in/two-factor.server'
import { insertEvent } from '#lib/record/events/record.server'
import type { StoredChanges } from '#lib/record/events/stored'

/* Commands for the operator of the server when no administrator can sign in. No API operation calls them. */

/** The message has the reason. */
export class Unrecoverable extends Error {}

type Recovery = {
  action: string
  changes: StoredChanges
  set: (trx: Trx, id: number) => Promise<unknown>
  /** For users with a password alone. */
  password?: true
}

/** Changes the user, ends their sessions, and records an event without a user: the command ran on the server. */
export const recover = (nick: string, { action, changes, set, password }: Recovery): Promise<void> =>
  transaction(async (trx) => {
    const user = await trx
      .selectFrom('users')
      .where('nick', '=', nick)
      .select(['id', 'nick', 'enterprise_id', 'auth_type'])
      .executeTakeFirst()
    if (!user) throw new Unrecoverable(`There is no user ${nick}`)
    if (password && user.auth_type === SERVICE)
      throw new Unrecoverable(`${nick} is a service account, which has no password`)
    await set(trx, user.id)
    await endSessionsOf(trx, user.id)
    await insertEvent(trx, {
      request: requestOfThisMachine(),
      action,
      changes,
      ...aboutUser(user),
      by: undefined,
    })
  })

/** Sets a generated password that must be changed at the next sign-in. Activates and unlocks the user. */
export async function resetPassword(nick: string): Promise<string> {
  const password = generatePassword()
  const password_hash = await hashPassword(password)
  await recover(nick, {
    action: 'reset-password',
    changes: { password: { after: 'changed' } },
    password: true,
    set: async (trx, id) => {
      const open = { active: 1, locked: 0, allowed_cidrs: '[]' } as const
      await setCredentials(trx, id, { password_hash, first_login: 1, invited: 0, ...open })
      await endInvitationOf(trx, id)
    },
  })
  return password
}

/** Turns two factor off for the user, and ends their passkeys. */
export const resetTwoFactor = (nick: string): Promise<void> =>
  recover(nick, {
    action: 'reset-2fa',
    changes: { twoFactorProvider: { before: 'enabled' } },
    set: async (trx, id) => {
      await disableTwoFactor(trx, id)
      await endPasskeysOf(trx, id)
    },
  })
