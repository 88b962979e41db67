/** An index of private addresses across all virtual datacenters. */
export const statements = (): string[] => ['create index private_ips_address on private_ips (ip_key)']
