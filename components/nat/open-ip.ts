import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { paths } from '#components/screens/paths'
import { idOfLink, linkOf } from '#lib/http/view'
import type { NatIpDocument } from '#lib/nat/ips.schema'

export type OpenIp = { network: number; id: number }

const parameter = 'open'

const readOpen = (text: string | null): OpenIp | undefined => {
  const [, network, id] = /^([1-9]\d{0,14})-([1-9]\d{0,14})$/.exec(text ?? '') ?? []
  return network && id ? { network: Number(network), id: Number(id) } : undefined
}

export const placeOf = (ip: NatIpDocument): OpenIp => ({
  network: idOfLink(linkOf(ip, 'natnetwork')) ?? 0,
  id: ip.id,
})

/** The IP whose details are open, from the URL. */
export function useOpenIp() {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const pathWith = (ip: OpenIp | undefined): string => {
    const changed = new URLSearchParams(search)
    if (ip) changed.set(parameter, `${ip.network}-${ip.id}`)
    else changed.delete(parameter)
    return `${pathname}?${changed}`
  }
  return {
    open: readOpen(search.get(parameter)),
    /** The path of the screen with the details open. */
    pathOf: pathWith,
    show: (ip: OpenIp) => void navigate(pathWith(ip), { preventScrollReset: true }),
    close: () => void navigate(pathWith(undefined), { preventScrollReset: true }),
  }
}

/** The path to the rules of a NAT IP: the rules of its network, filtered by the IP. */
export const rulesOfIp = (datacenter: number, { network, id }: OpenIp): string =>
  `${paths.natNetwork(datacenter, network, 'rules')}&rules.natip=${id}`
