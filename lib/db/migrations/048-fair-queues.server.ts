import type { MigrationTypes } from '#lib/db/dialect.server'

/**
 * Sign-ins under way are bounded for each client network, and mails take turns by the enterprise of their reader. Rows of before have
 * neither. `site`: the IPv4 address or the IPv6 /48; `network`: the IPv4 address or the /64.
 */
export const statements = ({ key }: MigrationTypes): string[] => [
  `alter table sign_in_flows add column site ${key}`,
  `alter table sign_in_flows add column network ${key}`,
  'alter table sign_in_flows add column began_at bigint',
  'create index sign_in_flows_site on sign_in_flows (site, network, began_at)',
  'alter table mails add column enterprise_id bigint',
  'create index mails_turn on mails (enterprise_id, expires_at)',
]
