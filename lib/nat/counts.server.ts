import { sql } from 'kysely'
import type { Db, Trx } from '#lib/db/db.server'
import type { Tables } from '#lib/db/tables'

/** A datacenter, or one NAT network of it. */
export type Place = { datacenter: number; network?: number }

const columns = [
  'ips',
  'available_ips',
  'used_ips',
  'default_snat_ips',
  'available_default_snat_ips',
  'snat_rules',
  'dnat_rules',
] as const satisfies (keyof Tables['nat_counts'])[]

type Counts = Record<(typeof columns)[number], number>

/** The exact totals of a place, summed over its networks: nothing is counted. */
export async function totalsOf(db: Db, { datacenter, network }: Place): Promise<Counts> {
  const sums = await db
    .selectFrom('nat_counts')
    .where('datacenter_id', '=', datacenter)
    .$if(network !== undefined, (query) => query.where('nat_network_id', '=', network ?? 0))
    .select(columns.map((column) => sql<number>`coalesce(sum(${sql.ref(column)}), 0)`.as(column)))
    .executeTakeFirstOrThrow()
  return Object.fromEntries(columns.map((column) => [column, Number(sums[column])])) as Counts
}

/** Adds to a network's totals; belongs into the transaction that changes what they count. */
export async function addCounts(trx: Trx, network: number, added: Partial<Counts>): Promise<void> {
  const changes = Object.entries(added).filter(([, count]) => count !== 0)
  if (changes.length === 0) return
  const sums = Object.fromEntries(
    changes.map(([column, count]) => [column, sql<number>`${sql.ref(column)} + ${count}`]),
  )
  await trx.updateTable('nat_counts').set(sums).where('nat_network_id', '=', network).execute()
}
