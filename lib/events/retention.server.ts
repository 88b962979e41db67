import { database, transaction } from '#lib/db/db.server'

const CHUNK = 1000

/** Removes the events before this time (epoch milliseconds) in small transactions. Returns their number. */
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
