import { endSession } from '#lib/auth/sessions.server'
import { database, transaction } from '#lib/db/db.server'
import { insertEvent } from '#lib/events/record.server'
import { providerContext } from '#lib/federation/sign-in.server'
import { decrypt } from '#lib/keys/keys.server'
import type { NameId } from '#lib/saml/assertion.server'
import { entityOf } from '#lib/sign-in/sign-in-events.server'

/** By what name a session of the console is known at the provider: kept for the sign-out there. */
export type KeptName = { nameId: NameId; sessionIndex: string | undefined }

const nameIn = (chain: string, sealed: string): KeptName =>
  JSON.parse(decrypt(sealed, providerContext(chain))) as KeptName

/** Undefined where the session was not begun by SAML. */
export async function keptName(chain: string): Promise<KeptName | undefined> {
  const row = await database()
    .read.selectFrom('session_providers')
    .where('chain', '=', chain)
    .where('provider', '=', 'SAML')
    .select('sealed')
    .executeTakeFirst()
  return row && nameIn(chain, row.sealed)
}

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
      const { sessionIndex } = nameIn(chain, sealed)
      if (indexes.length > 0 && sessionIndex !== undefined && !indexes.includes(sessionIndex)) continue
      await endSession({ db, session: { id: chain, userId: user.id, epoch, began } })
      await db.deleteFrom('session_providers').where('chain', '=', chain).execute()
      await insertEvent(db, { request, action: 'sign-out', ...entityOf(user) })
    }
  })
}
