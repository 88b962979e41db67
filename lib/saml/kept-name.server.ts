import { forgetSession } from '#lib/auth/console-cookie.server'
import { transaction } from '#lib/db/db.server'
import { insertEvent } from '#lib/events/record.server'
import { openKept } from '#lib/federation/sign-in.server'
import type { NameId } from '#lib/saml/assertion.server'
import { aboutUser } from '#lib/sign-in/sign-in-events.server'

/** By what name a session of the console is known at the provider: kept for the sign-out there. */
export type KeptName = { nameId: NameId; sessionIndex: string | undefined }

/** Ends the sessions that the provider knows by this name: those of these indexes, or all where it names none (SAML core §3.7.1). */
export async function endSessionsOf(
  request: Request,
  { nameId, indexes }: { nameId: NameId; indexes: readonly string[] },
): Promise<void> {
  await transaction(async (db) => {
    const rows = await db
      .selectFrom('session_providers')
      .innerJoin('sessions', 'sessions.chain', 'session_providers.chain')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .where('session_providers.provider', '=', 'SAML')
      .where('session_providers.subject', '=', nameId.value)
      .select(['sessions.chain as chain', 'sessions.epoch', 'sessions.began', 'session_providers.sealed'])
      .select(['users.id', 'users.nick', 'users.enterprise_id'])
      .execute()
    for (const { chain, epoch, began, sealed, ...user } of rows) {
      const { sessionIndex } = openKept<KeptName>(chain, sealed)
      if (indexes.length > 0 && sessionIndex !== undefined && !indexes.includes(sessionIndex)) continue
      await forgetSession(db, { id: chain, userId: user.id, epoch, began })
      await insertEvent(db, { request, action: 'sign-out', ...aboutUser(user) })
    }
  })
}
