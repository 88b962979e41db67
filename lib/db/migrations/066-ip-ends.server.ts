/** When an attached NAT IP is released, in milliseconds; null: never. */
export const statements = (): string[] => [
  'alter table nat_ips add column ends_at bigint',
  'create index nat_ips_ends on nat_ips (ends_at, id) where ends_at is not null',
]
