import { sql } from 'kysely'
import { assignableIps } from '#lib/cloud/nat/assignable.server'
import type { Trx } from '#lib/db/db.server'
import { statement } from '#lib/db/statements.server'

const DAY = 24 * 60 * 60 * 1000

/** Days since 1970, in UTC. */
export const dayOf = (time: number): number => Math.floor(time / DAY)

const upsert = statement('use of a day', (db, { network, day }: { network: number; day: number }) =>
  db
    .insertInto('nat_use_days')
    .columns(['nat_network_id', 'day', 'ips', 'available_ips', 'used_ips', 'assignable'])
    .expression((from) =>
      from
        .selectFrom('nat_counts')
        .innerJoin('nat_networks', 'nat_networks.id', 'nat_counts.nat_network_id')
        .where('nat_network_id', '=', network)
        .select(['nat_network_id', sql<number>`cast(${day} as integer)`.as('day')])
        .select(['ips', 'available_ips', 'used_ips', assignableIps.as('assignable')]),
    )
    .onConflict((on) =>
      on.columns(['nat_network_id', 'day']).doUpdateSet((set) => ({
        ips: set.ref('excluded.ips'),
        available_ips: set.ref('excluded.available_ips'),
        used_ips: set.ref('excluded.used_ips'),
        assignable: set.ref('excluded.assignable'),
      })),
    )
    .returning('day'),
)

/** Keeps the totals of a network as the last ones of this day. Runs in the transaction that has changed them. */
export async function keepUseOfToday(trx: Trx, network: number): Promise<void> {
  await upsert(trx, { network, day: dayOf(Date.now()) })
}

/** Keeps the totals of a network whose CIDR has changed, unless it never had an IP and so has no history. */
export async function keepUseOfMoved(trx: Trx, network: number): Promise<void> {
  const known = await trx
    .selectFrom('nat_use_days')
    .where('nat_network_id', '=', network)
    .select('day')
    .limit(1)
    .executeTakeFirst()
  if (known) await keepUseOfToday(trx, network)
}

/** Backdates the use of all networks, which have one day each, to this time: the sample cloud is as old as its past. */
export async function beginUseOn(trx: Trx, time: number): Promise<void> {
  await trx
    .updateTable('nat_use_days')
    .set({ day: dayOf(time) })
    .execute()
}
