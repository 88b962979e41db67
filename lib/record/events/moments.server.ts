import { type SqlBool, sql } from 'kysely'
import type { Db } from '#lib/db/db.server'

/*
 * Moments order the journal and never decrease; times come from the clock. Moments run ahead after a clock was set back, or if another
 * machine's clock is fast.
 */

/** The end of a millisecond, in microseconds. */
const endOf = (time: number): number => time * 1000 + 999

/** The moment at which the journal shows everything that happened up to this time (epoch milliseconds). */
export async function momentAt(db: Db, time: number): Promise<number> {
  const ahead = await db
    .selectFrom('events')
    .where('timestamp', '<=', time)
    // As in the index `events_ahead`.
    .where(sql<SqlBool>`moment > timestamp * 1000 + 999`)
    .select([
      'moment',
      (events) =>
        events
          .selectFrom('event_steps')
          .whereRef('event_id', '=', 'events.id')
          .select(({ fn }) => fn.max('event_steps.moment').as('last'))
          .as('last_step'),
    ])
    .orderBy('timestamp', 'desc')
    .orderBy('moment', 'desc')
    .limit(1)
    .executeTakeFirst()
  return Math.max(endOf(time), Number(ahead?.moment ?? 0), Number(ahead?.last_step ?? 0))
}

/** The time of a moment, by the clock that the event of the moment shows. */
export const timeOf = (
  moment: number,
  event: { moment: number | null; timestamp: number } | undefined,
): number =>
  event === undefined || event.moment === null
    ? Math.floor(moment / 1000)
    : event.timestamp + Math.floor((moment - event.moment) / 1000)
