import type { NatNetworkDocument } from '#lib/cloud/nat/networks.schema'
import { assignable, cidrSize, parseCidr } from '#lib/ground/net/addresses'

/** The datacenters on the home screen. */
export const firstDatacenters = { limit: 6, by: 'name' }

/** `assignable`: missing above 2^53 - 1. */
type Counts = { assignable?: number | undefined; usedIps: number }

/** Whole percent of the addresses that can be in use; the last free one keeps it below 100. */
export const percentOf = ({ assignable: most, usedIps }: Counts): number =>
  most ? Math.floor((usedIps / most) * 100) : 0

/** From this percentage on, it is time to plan the next network. */
export const nearlyFull = 80

export type Fullness = 'free' | 'nearlyFull' | 'full'

export function fullnessOf(counts: Counts): Fullness {
  const percent = percentOf(counts)
  if (percent === 100) return 'full'
  return percent >= nearlyFull ? 'nearlyFull' : 'free'
}

/**
 * How many more IPs can be added to the network without choosing addresses. Where `assignable` exceeds the CIDR, the network address or
 * the last address was added. undefined above 2^53 - 1.
 */
export function addableOf({
  cidr: text,
  ips,
  assignable: most,
}: Pick<NatNetworkDocument, 'cidr' | 'ips' | 'assignable'>): number | undefined {
  const cidr = parseCidr(text)
  if (!cidr || most === undefined) return undefined
  const automatic = Number(cidrSize({ ...cidr, ...assignable(cidr) }))
  return Math.max(automatic - ips, most - ips, 0)
}
