import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '#lib/db/db.server'

const DAY = 24 * 60 * 60 * 1000

const today = (): RawBuilder<number> => sql.lit(Math.floor(Date.now() / DAY))

/** The totals of a network at the end of each day (UTC, days since 1970) on which they changed. */
export const statements = () => [
  `create table nat_use_days (
    nat_network_id bigint not null references nat_networks on delete cascade,
    day bigint not null,
    ips bigint not null,
    available_ips bigint not null,
    used_ips bigint not null,
    primary key (nat_network_id, day)
  )`,
  'create index nat_use_days_day on nat_use_days (day)',
  async (trx: Trx) => {
    await sql`insert into nat_use_days (nat_network_id, day, ips, available_ips, used_ips)
      select nat_network_id, ${today()}, ips, available_ips, used_ips from nat_counts`.execute(trx)
  },
]
