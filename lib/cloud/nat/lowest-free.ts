import type { AddressMapDocument } from '#lib/cloud/nat/networks.schema'
import { assignable, formatAddress, formatCidr, parseCidr } from '#lib/ground/net/addresses'

type Found = { address: string } | { block: string }

/** The lowest assignable address in a block of a map that is no IP yet, or the part of the block that has it. */
export function lowestFree(
  { block: shown, version, cellPrefix, cells }: Omit<AddressMapDocument, 'links'>,
  network: string,
): Found | undefined {
  const [block, whole] = [parseCidr(shown), parseCidr(network)]
  if (!block || !whole) return undefined
  const { first, last } = assignable(whole)
  const size = 1n << BigInt((version === 4 ? 32 : 128) - cellPrefix)
  const taken = new Map(cells.map(({ cidr, ips }) => [parseCidr(cidr)?.first, BigInt(ips)]))
  for (let at = block.first; at <= block.last; at += size) {
    const end = at + size - 1n
    const [from, to] = [at < first ? first : at, end > last ? last : end]
    const ips = taken.get(at) ?? 0n
    if (ips >= to - from + 1n) continue
    return ips === 0n
      ? { address: formatAddress(version, from) }
      : { block: formatCidr({ version, first: at, last: end, prefix: cellPrefix }) }
  }
  return undefined
}
