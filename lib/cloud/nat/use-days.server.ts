import type { Trx } from '#lib/db/db.server'
import { statement } from '#lib/db/statements.server'

const DAY = 24 * 60 * 60 * 1000

/** Days since 1970, in UTC. */
export const dayOf = (time: number): number => Math.floor(time / DAY)

type Totals = { nat_network_id: number; ips: number; available_ips: number; used_ips: number }

const upsert = statement('use of a day', (db, row: Totals & { day: number }) =>
  db
    .insertInto('nat_use_days')
    .values(row)
    .onConflict((on) =>
      on.columns(['nat_network_id', 'day']).doUpdateSet((set) => ({
        ips: set.ref('excluded.ips'),
        available_ips: set.ref('excluded.available_ips'),
        used_ips: set.ref('excluded.used_ips'),
      })),
    )
    .returning('day'),
)

/** Keeps the last totals of each day. Runs in the transaction that changes the totals and locks their row. */
export async function keepUseOfToday(trx: Trx, totals: Totals): Promise<void> {
  await upsert(trx, { ...totals, day: dayOf(Date.now()) })
}

/** Backdates the use of all networks, which have one day each, to this time: the sample cloud is as old as its past. */
export async function beginUseOn(trx: Trx, time: number): Promise<void> {
  await trx
    .updateTable('nat_use_days')
    .set({ day: dayOf(time) })
    .execute()
}
