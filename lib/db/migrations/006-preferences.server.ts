import type { MigrationTypes } from '#lib/db/dialect.server'

/** What users have chosen for the console. And what finds an address in all datacenters. */
export const statements = ({ key }: MigrationTypes): string[] => [
  `create table preferences (
    user_id bigint not null references users,
    name ${key} not null,
    value text not null,
    primary key (user_id, name)
  )`,
  'create index nat_ips_address on nat_ips (ip_key, datacenter_id, id)',
]
