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
  /** The networks in which hardly an IP is left, the fullest first. */
  nearlyFull: NatNetworkDocument[]
}

const nearlyFull = 0.9

const shareOf = ({ ips, usedIps }: NatNetworkDocument): number => (ips === 0 ? 0 : usedIps / ips)

export function natUseOf({ collection, totalSize }: Collection<NatNetworkDocument>): NatUse {
  const sum = (count: (network: NatNetworkDocument) => number) =>
    collection.reduce((total, network) => total + count(network), 0)
  return {
    networks: totalSize,
    counted: collection.length,
    ips: sum(({ ips }) => ips),
    usedIps: sum(({ usedIps }) => usedIps),
    rules: sum(({ rules }) => rules),
    nearlyFull: collection
      .filter((network) => shareOf(network) >= nearlyFull)
      .sort((one, other) => shareOf(other) - shareOf(one)),
  }
}
