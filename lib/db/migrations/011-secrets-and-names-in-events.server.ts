import type { MigrationTypes } from '#lib/db/dialect.server'

const LEAKED = `entity_type = 'application' and action = 'create' and changes like '%"apiSecret":{"after":"%'`

/**
 * Removes application secrets from events, and marks the applications that still use such a secret. Adds the previous place to events.
 * Events without a place get the one that their path names, or 0 if that resource is deleted.
 */
export const statements = ({ leadingNumber, withoutApiSecret, untraced }: MigrationTypes): string[] => [
  'alter table applications add column secret_exposed_at bigint',
  `update applications set secret_exposed_at =
      (select max(timestamp) from events where entity_id = applications.id and ${LEAKED})
    where not exists (select 1 from events
      where entity_type = 'application' and entity_id = applications.id and action = 'rotate-secret')`,
  ...untraced(`update events set changes = ${withoutApiSecret('changes')} where ${LEAKED}`),
  'alter table events add column structured smallint not null default 0',
  'alter table events add column was_enterprise_id bigint',
  `update events set about_enterprise_id = ${leadingNumber(`substr(entity_path, ${'/admin/enterprises/'.length + 1})`)}
    where about_enterprise_id is null and entity_path like '/admin/enterprises/%'`,
  ...(['enterprise', 'datacenter'] as const).map(
    (kind) => `update events set about_${kind}_id = coalesce((select ${kind}_id from virtual_datacenters
        where id = ${leadingNumber(`substr(events.entity_path, ${'/cloud/virtualdatacenters/'.length + 1})`)}), 0)
      where about_${kind}_id is null and entity_path like '/cloud/virtualdatacenters/%'`,
  ),
]
