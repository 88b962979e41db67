import { sql } from 'kysely'
import { database, type Trx, transaction } from '#lib/db/db.server'
import { momentAt } from '#lib/record/events/moments.server'

/** Milliseconds. A gateway that was away for longer reads the whole. */
const KEPT = 6 * 60 * 60 * 1000
const BATCH = 5000

/** Removes old changes of translations, a batch in each transaction, and notes up to where. */
export async function removeOldChanges(now = Date.now()): Promise<void> {
  const last = await momentAt(database().read, now - KEPT)
  while ((await transaction((trx) => removeSome(trx, last))) === BATCH);
}

async function removeSome(trx: Trx, last: number): Promise<number> {
  const ids = trx
    .selectFrom('translation_changes')
    .where('moment', '<=', last)
    .select('id')
    .orderBy('moment')
    .orderBy('id')
    .limit(BATCH)
  const removed = await trx
    .deleteFrom('translation_changes')
    .where('id', 'in', ids)
    .returning(['id', 'device_id', 'revision'])
    .execute()
  const floors = new Map<number, number>()
  // In SQLite the revision is the id (revisions.server.ts).
  for (const { id, device_id, revision } of removed)
    floors.set(device_id, Math.max(floors.get(device_id) ?? 0, revision || id))
  for (const [device_id, revision] of floors)
    await trx
      .insertInto('translation_floors')
      .values({ device_id, revision })
      .onConflict((conflict) =>
        conflict.column('device_id').doUpdateSet({
          revision: sql`case when translation_floors.revision > excluded.revision
            then translation_floors.revision else excluded.revision end`,
        }),
      )
      .execute()
  return removed.length
}
