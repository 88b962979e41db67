import type { MigrationTypes } from '#lib/db/dialect.server'

/** Users' preferences for the console, and an index of addresses across all datacenters. */
export const statements = ({ key }: MigrationTypes): string[] => [
  `create table preferences (
    user_id bigint not null references users,
    name ${key} not null,
    value text not null,
    primary key (user_id, name)
  )`,
  'create index nat_ips_address on nat_ips (ip_key, datacenter_id, id)',
]
