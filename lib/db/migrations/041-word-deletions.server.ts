import type { MigrationTypes } from '#lib/db/dialect.server'

/**
 * SQLite merged a word index whenever a tenth of it was deleted: 100,000 deletions took ten times as long, and single ones blocked other
 * requests for up to a second. The merges caused by insertions also drop deleted entries.
 */
export const statements = ({ withoutDeleteMerges }: MigrationTypes): string[] =>
  ['nat_ips', 'private_ips', 'virtual_machines'].flatMap(withoutDeleteMerges)
