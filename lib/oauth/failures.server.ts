import { transaction } from '#lib/db/db.server'

/* What helps the author of a program whose signatures are wrong: the server's base string, for an hour. */

/** How long failures are shown, and kept. */
export const HOUR = 60 * 60 * 1000
const KEPT = 20
/** A base string is as long as the request that it signs. */
const LENGTH = 8192

type Failure = { application: number; method: string; base: string; offset: number }

export const recordFailure = ({ application, method, base, offset }: Failure): Promise<void> =>
  transaction(async (trx) => {
    const now = Date.now()
    const kept = await trx
      .selectFrom('oauth_failures')
      .where('application_id', '=', application)
      .select('id')
      .orderBy('id', 'desc')
      .offset(KEPT - 1)
      .limit(1)
      .executeTakeFirst()
    if (kept)
      await trx
        .deleteFrom('oauth_failures')
        .where('application_id', '=', application)
        .where('id', '<=', kept.id)
        .execute()
    await trx
      .insertInto('oauth_failures')
      .values({
        application_id: application,
        failed_at: now,
        method,
        base_string: base.slice(0, LENGTH),
        clock_offset: offset,
      })
      .execute()
  })

/** Removes what has run out: failures, nonces, request tokens that nobody has used. */
export const removeOldSignatures = (): Promise<void> =>
  transaction(async (trx) => {
    const now = Date.now()
    await trx
      .deleteFrom('oauth_failures')
      .where('failed_at', '<', now - HOUR)
      .execute()
    await trx.deleteFrom('oauth_nonces').where('expires_at', '<', now).execute()
    await trx.deleteFrom('oauth_tokens').where('expires_at', '<', now).execute()
  })
