import type { Collection } from '#lib/http/view'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'

/** How many networks of a datacenter are read for its sums. */
export const countedNetworks = 100

export type NatUse = {
  networks: number
  /** Fewer than `networks` where a datacenter has very many. */
  counted: number
  ips: number
  usedIps: number
  rules: number
}

export function natUseOf({ collection, totalSize }: Collection<NatNetworkDocument>): NatUse {
  const sum = (count: (network: NatNetworkDocument) => number) =>
    collection.reduce((total, network) => total + count(network), 0)
  return {
    networks: totalSize,
    counted: collection.length,
    ips: sum(({ ips }) => ips),
    usedIps: sum(({ usedIps }) => usedIps),
    rules: sum(({ rules }) => rules),
  }
}

type Counts = { ips: number; usedIps: number }

/** Whole percent of the IPs that are in use; the last free one keeps it below 100. */
export const percentOf = ({ ips, usedIps }: Counts): number =>
  ips === 0 ? 0 : Math.floor((usedIps / ips) * 100)

/** From here on somebody should think of the next network. */
export const nearlyFull = 90

export type Fullness = 'noIps' | 'free' | 'nearlyFull' | 'full'

export function fullnessOf(counts: Counts): Fullness {
  const percent = percentOf(counts)
  if (counts.ips === 0) return 'noIps'
  if (percent === 100) return 'full'
  return percent >= nearlyFull ? 'nearlyFull' : 'free'
}
