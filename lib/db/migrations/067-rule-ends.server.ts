/** When a NAT rule is disabled, in milliseconds; null: never. */
export const statements = (): string[] => [
  'alter table nat_rules add column ends_at bigint',
  'create index nat_rules_ends on nat_rules (ends_at, id) where ends_at is not null',
]
