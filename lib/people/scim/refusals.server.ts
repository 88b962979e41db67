import { transaction } from '#lib/db/db.server'
import { insertRow } from '#lib/db/unique.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { log } from '#lib/ground/log.server'

/* The last requests that SCIM refused, for the settings of the console: providers hide why a user was not provisioned. */

/** So many are kept of each user. */
export const KEPT = 50
const LONGEST_MESSAGE = 500

/** A provider repeats what was refused: within this time (ms) a process writes each refusal once. */
const PAUSE = 10_000
const MOST_KNOWN = 1000
const written = new Map<string, number>()

type By = { userId?: number; tokenId?: number }

function isNew(key: string, now: number): boolean {
  const last = written.get(key)
  if (last !== undefined && now < last + PAUSE) return false
  if (written.size >= MOST_KNOWN) written.clear()
  written.set(key, now)
  return true
}

/** Refusals without a user are not kept, or strangers could write. The request does not wait for the write. */
export function noteRefusal(request: Exchange, error: unknown, { userId, tokenId }: By): void {
  if (userId === undefined) return
  const refused = error instanceof ApiError ? error : new ApiError('GEN-13')
  const [first] = refused.faults
  // What a provider asks for before it creates a user is not a problem.
  if (refused.status === 404 && request.method === 'GET') return
  const now = Date.now()
  const row = {
    user_id: userId,
    token_id: tokenId ?? null,
    method: request.method,
    route: request.route ?? '/scim/v2',
    status: refused.status,
    code: first?.code ?? 'GEN-13',
    message: refused.faults
      .map(({ message }) => message)
      .join('; ')
      .slice(0, LONGEST_MESSAGE),
  }
  if (!isNew(JSON.stringify(row), now)) return
  transaction(async (trx) => {
    await insertRow(trx, 'scim_refusals', { ...row, refused_at: now })
    const oldest = await trx
      .selectFrom('scim_refusals')
      .where('user_id', '=', userId)
      .select('id')
      .orderBy('id', 'desc')
      .offset(KEPT)
      .limit(1)
      .executeTakeFirst()
    if (oldest)
      await trx
        .deleteFrom('scim_refusals')
        .where('user_id', '=', userId)
        .where('id', '<=', oldest.id)
        .execute()
  }).catch((err) => log().warn({ err }, 'a refusal of SCIM could not be recorded'))
}
