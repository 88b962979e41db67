import type { MigrationTypes } from '#lib/db/dialect.server'

/** Word indexes of addresses and names, and an index of the rules of a private IP. */
export const statements = ({ wordIndex }: MigrationTypes): string[] => [
  ...wordIndex('nat_ips', 'ip'),
  ...wordIndex('private_ips', 'ip'),
  ...wordIndex('virtual_machines', 'name_key'),
  'create index nat_rules_private_ip on nat_rules (private_ip_id)',
]
