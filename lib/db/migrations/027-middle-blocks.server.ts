const counted = [
  'ips',
  'available_ips',
  'used_ips',
  'quarantine_ips',
  'free_ips',
  'default_snat_ips',
  'available_default_snat_ips',
  'snat_rules',
  'dnat_rules',
]

/** Blocks of 4,096 addresses (`wide` 2), between the narrow and the wide ones: 16 totals instead of 256 locate a narrow block. */
export const statements = (): string[] => [
  `insert into nat_blocks (nat_network_id, datacenter_id, wide, block, ${counted.join(', ')})
    select nat_network_id, datacenter_id, 2, substr(block, 1, length(block) - 1),
      ${counted.map((column) => `sum(${column})`).join(', ')}
    from nat_blocks where wide = 0
    group by nat_network_id, datacenter_id, substr(block, 1, length(block) - 1)`,
]
