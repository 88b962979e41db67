import type { MigrationTypes } from '#lib/db/dialect.server'

/** Events, without references because their subjects may be deleted, and the index and the key that find free NAT IPs. */
export const statements = ({ id, key }: MigrationTypes): string[] => [
  `create table events (
    id ${id},
    timestamp bigint not null,
    action text not null,
    entity_type text not null,
    entity_id bigint,
    entity_name text not null,
    entity_key ${key} not null,
    entity_path text,
    changes text not null,
    user_id bigint,
    user_nick text,
    enterprise_id bigint,
    request_id text not null,
    ip text not null,
    about_enterprise_id bigint,
    about_datacenter_id bigint,
    about_scope_id bigint
  )`,
  `alter table nat_counts add column first_free_key ${key} not null default ''`,
  `create index nat_ips_free on nat_ips (datacenter_id, ip_key, id)
    where available = 1 and quarantine = 0 and virtual_datacenter_id is null`,
  'create index events_order on events (timestamp, id)',
  'create index events_entity on events (entity_type, entity_id, timestamp, id)',
  'create index events_user on events (user_id, timestamp, id)',
  'create index events_enterprise on events (enterprise_id, timestamp, id)',
]
