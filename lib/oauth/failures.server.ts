import type { ReadContext } from '#lib/auth/context.server'
import { transaction } from '#lib/db/db.server'
import { ApiError } from '#lib/http/errors'
import type { Listing } from '#lib/http/render.server'
import type { SignatureFailureDocument } from '#lib/oauth/applications.schema'
import type { ApplicationPath } from '#lib/oauth/applications.server'

/* What helps the author of a program whose signatures are wrong: the server's base string, for an hour. */

const HOUR = 60 * 60 * 1000
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

/** The last failures of an application of the caller's own: nobody else sees what was signed. Throws USER-23. */
export async function listFailures({
  caller,
  db,
  params,
}: ReadContext & { params: ApplicationPath }): Promise<Listing> {
  const own = await db
    .selectFrom('applications')
    .where('id', '=', params.application)
    .where('user_id', '=', caller.id)
    .where('user_id', '=', params.user)
    .select('id')
    .executeTakeFirst()
  if (!own) throw new ApiError('USER-23')
  const rows = await db
    .selectFrom('oauth_failures')
    .where('application_id', '=', own.id)
    .where('failed_at', '>', Date.now() - HOUR)
    .selectAll()
    .orderBy('id', 'desc')
    .execute()
  const collection = rows.map(
    (row): SignatureFailureDocument => ({
      links: [],
      id: row.id,
      failed: new Date(row.failed_at).toISOString(),
      signatureMethod: row.method,
      baseString: row.base_string,
      clockOffset: row.clock_offset,
    }),
  )
  return { links: [], totalSize: collection.length, collection }
}

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
