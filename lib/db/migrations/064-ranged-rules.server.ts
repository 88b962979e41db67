/**
 * DNAT rules of a range of ports, and rules for some sources: CIDRs joined by commas, empty for every source. The index counts these rules
 * of a network.
 */
export const statements = (): string[] => [
  'alter table nat_rules add column original_port_end integer',
  'alter table nat_rules add column sources text',
  'alter table translation_changes add column nat_port_end integer',
  'alter table translation_changes add column sources text',
  `create index nat_rules_ranged on nat_rules (nat_network_id)
    where original_port_end is not null or sources is not null`,
]
