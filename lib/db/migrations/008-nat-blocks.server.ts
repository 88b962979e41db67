import type { MigrationTypes } from '#lib/db/dialect.server'

const counted = [
  'ips',
  'available_ips',
  'used_ips',
  'quarantine_ips',
  'default_snat_ips',
  'available_default_snat_ips',
  'snat_rules',
  'dnat_rules',
]

const sums = counted.map((column) => `sum(${column})`).join(', ')

/** Totals of the blocks of each network: narrow blocks of 256 addresses, wide ones of 65,536. A few hundred totals locate any page of a list. */
export const statements = ({ key }: MigrationTypes): string[] => [
  'alter table nat_counts add column quarantine_ips bigint not null default 0',
  `update nat_counts set quarantine_ips = (select count(*) from nat_ips
    where nat_ips.datacenter_id = nat_counts.datacenter_id and nat_ips.nat_network_id = nat_counts.nat_network_id
    and nat_ips.quarantine = 1)`,
  `create table nat_blocks (
    nat_network_id bigint not null references nat_networks,
    datacenter_id bigint not null references datacenters,
    wide smallint not null,
    block ${key} not null,
    ${counted.map((column) => `${column} bigint not null`).join(',\n    ')},
    primary key (nat_network_id, wide, block)
  )`,
  'create index nat_blocks_datacenter on nat_blocks (datacenter_id, wide, block)',
  `insert into nat_blocks (nat_network_id, datacenter_id, wide, block, ${counted.join(', ')})
    select nat_network_id, datacenter_id, 0, substr(ip_key, 1, length(ip_key) - 2), ${sums}
    from (
      select nat_network_id, datacenter_id, ip_key, 1 as ips, available as available_ips,
        case when virtual_datacenter_id is null then 0 else 1 end as used_ips, quarantine as quarantine_ips,
        default_snat as default_snat_ips, available * default_snat as available_default_snat_ips,
        0 as snat_rules, 0 as dnat_rules
      from nat_ips
      union all
      select nat_network_id, datacenter_id, ip_key, 0, 0, 0, 0, 0, 0, snat, 1 - snat from nat_rules
    ) as counted
    group by nat_network_id, datacenter_id, substr(ip_key, 1, length(ip_key) - 2)`,
  `insert into nat_blocks (nat_network_id, datacenter_id, wide, block, ${counted.join(', ')})
    select nat_network_id, datacenter_id, 1, substr(block, 1, length(block) - 2), ${sums} from nat_blocks
    group by nat_network_id, datacenter_id, substr(block, 1, length(block) - 2)`,
]
