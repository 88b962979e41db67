import type { MigrationTypes } from '#lib/db/dialect.server'

/**
 * The translations of gateways. Triggers write `translation_changes` (lib/db/translation-log.server.ts): `added` is 1 or -1, `revision` the
 * number of the transaction in PostgreSQL. `translation_floors` has the last change of a device that was removed from the log.
 * `device_states` has the last report of each gateway, with the status of the last event, `device_rules` the reported counters of single
 * rules.
 */
export const statements = ({ id, key }: MigrationTypes): string[] => [
  `insert into device_types (name, name_key, nat)
    select 'LINUX', 'linux', 1 where not exists (select 1 from device_types where name = 'LINUX')`,
  'create index nat_ips_default_of on nat_ips (virtual_datacenter_id) where default_snat = 1',
  `create table translation_changes (
    id ${id},
    device_id bigint not null,
    revision bigint not null,
    moment bigint not null,
    added smallint not null,
    rule_id bigint,
    kind ${key} not null,
    protocol ${key},
    nat_ip ${key} not null,
    nat_port integer,
    private_ip ${key} not null,
    private_port integer
  )`,
  'create index translation_changes_order on translation_changes (device_id, revision, id)',
  'create index translation_changes_rule on translation_changes (rule_id, revision) where rule_id is not null',
  'create index translation_changes_moment on translation_changes (moment)',
  'create table translation_floors (device_id bigint primary key, revision bigint not null)',
  `create table device_states (
    device_id bigint primary key references devices on delete cascade,
    revision bigint not null,
    mode ${key} not null,
    seconds integer not null,
    translations integer not null,
    drift text not null,
    refused text not null,
    agent text not null,
    reported_at bigint not null,
    shown_status ${key} not null
  )`,
  `create table device_rules (
    rule_id bigint primary key references nat_rules on delete cascade,
    device_id bigint not null,
    packets bigint not null,
    bytes bigint not null,
    fault ${key}
  )`,
  'create index device_rules_fault on device_rules (device_id) where fault is not null',
]
