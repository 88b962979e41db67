import { LRUCache } from 'lru-cache'
import { transaction } from '#lib/db/db.server'

/* Requests with a wrong signature are stored for an hour with the server's base string, to help developers of clients. */

/** How long failures are stored. */
export const HOUR = 60 * 60 * 1000
const MAX_FAILURES = 20
/** A base string is as long as the request that it signs. */
const LENGTH = 8192

/** A client that knows a consumer key, which is no secret, causes at most this many writes a minute, in each process. */
const MOST_IN_A_MINUTE = 60
const recent = new LRUCache<number, number>({ max: 10_000, ttl: HOUR / 60, noUpdateTTL: true })

type Failure = { application: number; method: string; base: string; offset: number }

export async function recordFailure({ application, method, base, offset }: Failure): Promise<void> {
  const count = recent.get(application) ?? 0
  if (count >= MOST_IN_A_MINUTE) return
  recent.set(application, count + 1)
  await transaction(async (trx) => {
    const now = Date.now()
    const last = await trx
      .selectFrom('oauth_failures')
      .where('application_id', '=', application)
      .select('id')
      .orderBy('id', 'desc')
      .offset(MAX_FAILURES - 1)
      .limit(1)
      .executeTakeFirst()
    if (last)
      await trx
        .deleteFrom('oauth_failures')
        .where('application_id', '=', application)
        .where('id', '<=', last.id)
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
}

/** Removes old failures, and expired nonces and request tokens. */
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
