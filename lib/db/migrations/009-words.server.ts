import type { MigrationTypes } from '#lib/db/dialect.server'

/** Finds the rows in whose text a word stands, and the rules of a private IP. */
export const statements = ({ wordIndex }: MigrationTypes): string[] => [
  ...wordIndex('nat_ips', 'ip'),
  ...wordIndex('private_ips', 'ip'),
  ...wordIndex('virtual_machines', 'name_key'),
  'create index nat_rules_private_ip on nat_rules (private_ip_id)',
]
