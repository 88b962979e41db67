/** `2000`, `2000-2999`, or nothing without a first port. */
export const portsText = (first?: number, last?: number): string =>
  [first, last].filter((port) => port !== undefined).join('-')

/** The address alone without ports. RFC 3986 §3.2.2: an IPv6 address stands in brackets before a port. */
export function endpointText(address: string, ports: string | number | undefined): string {
  if (ports === undefined || ports === '') return address
  return `${address.includes(':') ? `[${address}]` : address}:${ports}`
}
