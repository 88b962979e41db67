import type { MigrationTypes } from '#lib/db/dialect.server'

/**
 * An index of past NAT IPs by address, so that the history of an address is found without a scan. Only states with a holder are in it: an
 * address that was never attached has no history.
 */
export const statements = ({ textIn }: MigrationTypes) => [
  `create index past_rows_address on past_rows ((${textIn('content', 'ip_key')}))
    where source = 'nat_ips' and (${textIn('content', 'virtual_datacenter_id')}) is not null`,
]
