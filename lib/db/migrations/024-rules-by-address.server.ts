/** An index of the rules across all datacenters, in the order of addresses. `snat` makes it covering. */
export const statements = (): string[] => [
  'create index nat_rules_address on nat_rules (ip_key, datacenter_id, id, snat)',
]
