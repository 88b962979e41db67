import { type SqlBool, sql } from 'kysely'
import { assignableIps } from '#lib/cloud/nat/assignable.server'
import { dayOf } from '#lib/cloud/nat/use-days.server'

/*
 * When a network is full if its use grows on as in the last days: the history of its use has the use of that time, found by its index. In
 * queries of `nat_networks` and `nat_counts`.
 */

/** Days over which the growth is measured; fewer if the history is shorter. */
const MEASURED = 30

const DAY = 24 * 60 * 60 * 1000

/** Fills within so many days. */
export type Filling = { within: number; today: number; since: number }

/** The filter of a list, if it is set. */
export function fillingWithin(days: number | undefined): Filling | undefined {
  const today = dayOf(Date.now())
  return days === undefined ? undefined : { within: days, today, since: today - MEASURED }
}

const dayBefore = ({ since }: Filling) => sql`select day, used_ips from nat_use_days as past
  where past.nat_network_id = nat_networks.id and past.day <= cast(${since} as bigint) order by past.day desc limit 1`

const firstDay = sql`select day, used_ips from nat_use_days as past
  where past.nat_network_id = nat_networks.id order by past.day limit 1`

const usedThen = (filling: Filling) => sql`coalesce((select used_ips from (${dayBefore(filling)}) as before),
  (select used_ips from (${firstDay}) as before))`

/** The days since then, at least one. */
const span = (filling: Filling) => sql`case when exists (${dayBefore(filling)}) then ${sql.lit(MEASURED)}
  else (select case when before.day < cast(${filling.today} as bigint) then cast(${filling.today} as bigint) - before.day else 1 end
    from (${firstDay}) as before) end`

const growth = (filling: Filling) => sql`(nat_counts.used_ips - ${usedThen(filling)})`

/** Networks that are full already are not among them. */
export const fillsWithin = (filling: Filling) =>
  sql<SqlBool>`(nat_counts.used_ips < ${assignableIps} and ${growth(filling)} > 0
    and (${assignableIps} - nat_counts.used_ips) * (${span(filling)}) <= cast(${filling.within} as bigint) * ${growth(filling)})`

/** The days until a network that fills is full, with a fraction. */
export const daysToFull = (filling: Filling) =>
  sql<number>`(${assignableIps} - nat_counts.used_ips) * 1.0 * (${span(filling)}) / ${growth(filling)}`

/** The day on which a network is full. PostgreSQL sends the number as text. */
export const fillsOn = (days: number | string): string =>
  new Date(Date.now() + Math.ceil(Number(days)) * DAY).toISOString().slice(0, 10)
