import { useSearchParams } from 'react-router'
import { paths } from '#components/base/screens/paths'
import { useSearchChange, useSearchPath } from '#components/base/screens/use-search-change'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { datacenterOf } from './use-datacenter'

/** `datacenter` where the screen shows several. */
export type OpenIp = { datacenter?: number | undefined; network: number; id: number }

const readOpen = (text: string | null): OpenIp | undefined => {
  const [, datacenter, network, id] =
    /^(?:([1-9]\d{0,14})-)?([1-9]\d{0,14})-([1-9]\d{0,14})$/.exec(text ?? '') ?? []
  return network && id
    ? { datacenter: datacenter ? Number(datacenter) : undefined, network: Number(network), id: Number(id) }
    : undefined
}

export const openIpOf = (ip: NatIpDocument): OpenIp => ({
  datacenter: datacenterOf(ip),
  network: idOfLink(linkOf(ip, 'natnetwork')) ?? 0,
  id: ip.id,
})

const written = ({ datacenter, network, id }: OpenIp) => ({
  open: [datacenter, network, id].filter((part) => part !== undefined).join('-'),
})

/** The IP whose details are open, from the URL. */
export function useOpenIp() {
  const [search] = useSearchParams()
  const pathWith = useSearchPath()
  const change = useSearchChange()
  return {
    open: readOpen(search.get('open')),
    /** The path of the screen with the details open. */
    pathOf: (ip: OpenIp) => pathWith(written(ip)),
    show: (ip: OpenIp) => change(written(ip)),
    close: () => change({ open: undefined, do: undefined }),
  }
}

/** The path to the rules of a NAT IP: the rules of its network, filtered by the IP. */
export const rulesOfIp = (datacenter: number, { network, id }: Omit<OpenIp, 'datacenter'>): string =>
  `${paths.natNetwork(datacenter, network, 'rules')}&rules.natip=${id}`
