/** Finds a private IP by its address, wherever it is. */
export const statements = (): string[] => ['create index private_ips_address on private_ips (ip_key)']
