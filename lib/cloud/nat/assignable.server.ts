import { type SqlBool, sql } from 'kysely'

/*
 * How many addresses of a NAT network can be in use: those that are assigned automatically (`assignable` in addresses.ts) and the others
 * that were added, without those that are unavailable or in quarantine and not attached. It is computed from rows that programs of every
 * version keep, in queries of `nat_networks` and `nat_counts`, by two reads of an index.
 */

/** 2^53: counts from here on are left out, because programs read numbers as floating point. */
const most = sql`9007199254740992`

const size = (width: 32 | 128) =>
  sql`(cast(1 as bigint) << cast(${sql.lit(width)} - nat_networks.prefix as integer))`

const isFour = sql`nat_networks.first_key < '5'`

/** The addresses that are assigned automatically. null above 2^53 - 1. */
const automatic = sql`case when ${isFour} and nat_networks.prefix >= 31 then ${size(32)}
  when ${isFour} then ${size(32)} - 2
  when nat_networks.prefix >= 127 then ${size(128)}
  when nat_networks.prefix >= 75 then ${size(128)} - 1 end`

/** The added addresses that are not assigned automatically. */
const edges = sql`case when nat_networks.prefix >= (case when ${isFour} then 31 else 127 end) then 0
  else (select count(*) from nat_ips as edge where edge.nat_network_id = nat_networks.id and edge.ip_key in
    (nat_networks.first_key, case when ${isFour} then nat_networks.last_key else nat_networks.first_key end)) end`

const blocked = sql`nat_counts.ips - nat_counts.used_ips - nat_counts.free_ips`

/** null above 2^53 - 1. */
export const assignableIps = sql<number | null>`nullif(${automatic} + ${edges} - (${blocked}), ${most})`

/** The percentage of the assignable addresses that are attached. Networks above 2^53 - 1 count as if they had 2^53. */
export const useOfNetwork = sql<number>`case when nat_counts.used_ips = 0 then 0
  else nat_counts.used_ips * 100.0 / coalesce(${assignableIps}, ${most}) end`

/** True if addresses can be added that are assigned automatically. */
export const hasRoom = sql<SqlBool>`coalesce(${assignableIps}, ${most}) > nat_counts.used_ips + nat_counts.free_ips`

/** The number to show: PostgreSQL sends some as text. */
export const shownAssignable = (count: number | string | null): { assignable?: number } =>
  count === null ? {} : { assignable: Number(count) }
