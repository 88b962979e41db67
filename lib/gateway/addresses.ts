import type { Element } from '#lib/gateway/elements'
import { ProgramFailure, run, type TableLocation } from '#lib/gateway/nft'

/* NAT IPs as addresses of a device, so that the neighbours on its segment find them. */

/** Marks the gateway's own addresses, so that a restart knows them. For a single address the metric has no other effect. */
const METRIC = 20_305

type Link = { addr_info: { local: string; prefixlen: number; metric?: number }[] }

const isWhole = ({ local, prefixlen }: Link['addr_info'][number]): boolean =>
  prefixlen === (local.includes(':') ? 128 : 32)

function natIpsOf(elements: Iterable<Element>): Set<string> {
  const addresses = new Set<string>()
  for (const { collection, key, value } of elements)
    if (collection === 'snat_hosts' || collection === 'snat_default') addresses.add(value ?? '')
    else if (collection !== 'private') addresses.add(key.split(' ', 1)[0] ?? '')
  return addresses
}

/** Adds the NAT IPs of these elements, and removes its own former addresses that are no longer NAT IPs. */
export async function announce(
  place: TableLocation,
  device: string,
  elements: Iterable<Element>,
): Promise<void> {
  const listed = JSON.parse(await run(place, ['ip', '-j', 'address', 'show', 'dev', device])) as Link[]
  const present = listed.flatMap((link) => link.addr_info ?? [])
  const own = present.filter((each) => each.metric === METRIC && isWhole(each)).map(({ local }) => local)
  const wanted = natIpsOf(elements)
  const others = new Set(present.map(({ local }) => local))
  const lengthOf = (address: string) => (address.includes(':') ? '128 nodad' : '32')
  const lines = [
    ...own
      .filter((address) => !wanted.has(address))
      .map((address) => `address delete ${address}/${lengthOf(address).split(' ', 1)[0]} dev ${device}`),
    ...[...wanted]
      .filter((address) => !others.has(address))
      .map((address) => `address add ${address}/${lengthOf(address)} dev ${device} metric ${METRIC}`),
  ]
  if (lines.length === 0) return
  try {
    await run(place, ['ip', '-force', '-batch', '-'], `${lines.join('\n')}\n`)
  } catch (error) {
    if (error instanceof ProgramFailure) throw new Error(`not all NAT IPs are on ${device}: ${error.message}`)
    throw error
  }
}
