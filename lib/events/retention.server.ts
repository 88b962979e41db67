import { database, transaction } from '#lib/db/db.server'
import { log } from '#lib/log.server'

const DAY = 24 * 60 * 60 * 1000
const HOUR = DAY / 24
const CHUNK = 1000

/** Removes the events before this time (epoch milliseconds), a little in each transaction. Gives their number. */
export async function removeEventsBefore(time: number): Promise<number> {
  let removed = 0
  for (;;) {
    const expired = await database()
      .read.selectFrom('events')
      .where('timestamp', '<', time)
      .orderBy('timestamp')
      .select('id')
      .limit(CHUNK)
      .execute()
    if (expired.length === 0) return removed
    const ids = expired.map(({ id }) => id)
    await transaction((trx) => trx.deleteFrom('events').where('id', 'in', ids).execute())
    removed += ids.length
  }
}

/** Removes what is older than so many days, now and each hour; 0 keeps events for ever. */
export function keepEvents(days: number): NodeJS.Timeout | undefined {
  if (days === 0) return undefined
  const clean = () =>
    removeEventsBefore(Date.now() - days * DAY).catch((err: unknown) =>
      log().error({ err }, 'events are not cleaned'),
    )
  void clean()
  return setInterval(clean, HOUR).unref()
}
