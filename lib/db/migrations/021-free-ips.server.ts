const isFree = 'available = 1 and quarantine = 0 and virtual_datacenter_id is null'

/** The totals of free IPs. */
export const statements = (): string[] => [
  'alter table nat_counts add column free_ips bigint not null default 0',
  `update nat_counts set free_ips = (select count(*) from nat_ips
    where nat_ips.nat_network_id = nat_counts.nat_network_id and ${isFree})`,
  'alter table nat_blocks add column free_ips bigint not null default 0',
  `update nat_blocks set free_ips = (select count(*) from nat_ips
    where nat_ips.nat_network_id = nat_blocks.nat_network_id and ${isFree}
    and nat_ips.ip_key >= nat_blocks.block and nat_ips.ip_key < nat_blocks.block || 'g')`,
]
