/** Indexes for selective filters of NAT IPs and rules. The columns after the id make the indexes covering. */
export const statements = (): string[] => [
  `create index nat_ips_unavailable on nat_ips
    (datacenter_id, ip_key, id, nat_network_id, quarantine, virtual_datacenter_id) where available = 0`,
  `create index nat_ips_quarantine on nat_ips
    (datacenter_id, ip_key, id, nat_network_id, available, virtual_datacenter_id) where quarantine = 1`,
  `create index nat_ips_held on nat_ips
    (datacenter_id, ip_key, id, nat_network_id, available, quarantine, virtual_datacenter_id)
    where virtual_datacenter_id is not null`,
  'drop index nat_ips_attached',
  `create index nat_ips_attached on nat_ips
    (virtual_datacenter_id, ip_key, id, nat_network_id, available, quarantine)
    where virtual_datacenter_id is not null`,
  'create index nat_rules_protocol on nat_rules (datacenter_id, protocol, ip_key, id, nat_network_id, snat)',
]
