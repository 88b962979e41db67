import { randomUUID } from 'node:crypto'
import { database, transaction } from '#lib/db/db.server'
import { ApiError, fault } from '#lib/ground/http/errors'

/*
 * The places of a user's open streams, counted over all processes. A process that dies leaves its places behind, so a place that is not
 * kept is free after a while.
 */

/** For one user. */
const MOST = 5
/** Milliseconds. Places are kept every 15 seconds. */
const KEPT = 45_000
/** Seconds. */
const RETRY_AFTER = 15

export type StreamKind = 'events' | 'jobs'

const refused: Record<StreamKind, string> = {
  events: `A user may have ${MOST} open streams of events: close one first`,
  jobs: `A user may follow ${MOST} jobs at a time: close a stream first`,
}

/** The id of the place begins with its kind. Throws 429. */
export const takePlace = (kind: StreamKind, user: number): Promise<string> =>
  transaction(async (trx) => {
    await trx.deleteFrom('event_streams').where('until', '<', Date.now()).execute()
    const taken = await trx.selectFrom('event_streams').where('user_id', '=', user).select('id').execute()
    if (taken.filter(({ id }) => id.startsWith(kind)).length >= MOST)
      throw new ApiError(fault('429-TOO-MANY-REQUESTS', refused[kind]), { retryAfter: RETRY_AFTER })
    const id = `${kind} ${randomUUID()}`
    await trx
      .insertInto('event_streams')
      .values({ id, user_id: user, until: Date.now() + KEPT })
      .execute()
    return id
  })

export async function keepPlaces(ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await database()
    .write.updateTable('event_streams')
    .set({ until: Date.now() + KEPT })
    .where('id', 'in', ids)
    .execute()
}

export async function freePlace(id: string): Promise<void> {
  await database().write.deleteFrom('event_streams').where('id', '=', id).execute()
}
