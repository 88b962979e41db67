/** When a NAT rule was disabled, in milliseconds; empty while it is enabled. The rules of before, also those in the journal, are enabled. */
export const statements = (): string[] => [
  'alter table nat_rules add column disabled_at bigint',
  `create index nat_rules_disabled on nat_rules (datacenter_id, ip_key, id, nat_network_id, snat, disabled_at)
    where disabled_at is not null`,
]
