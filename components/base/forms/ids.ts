import { useParams } from 'react-router'

const idOf = (text: string | null | undefined): number | undefined =>
  text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined

/** An id in the address of a screen. Any other text becomes 0, which the API refuses with a clear message. */
export function useId(
  name: 'application' | 'enterprise' | 'plan' | 'role' | 'scope' | 'token' | 'user' | 'webhook',
): number {
  const { [name]: text } = useParams()
  return idOf(text) ?? 0
}

/** The ids in the address of a datacenter's screen. */
export function useIds(): { datacenter: number; network: number; device: number } {
  const { datacenter, natnetwork, device } = useParams<'datacenter' | 'natnetwork' | 'device'>()
  return { datacenter: idOf(datacenter) ?? 0, network: idOf(natnetwork) ?? 0, device: idOf(device) ?? 0 }
}

/** The ids in the address of a virtual datacenter's screen. */
export function useInventoryIds(): { center: number; appliance: number; machine: number } {
  const ids = useParams<'virtualdatacenter' | 'virtualappliance' | 'virtualmachine'>()
  return {
    center: idOf(ids.virtualdatacenter) ?? 0,
    appliance: idOf(ids.virtualappliance) ?? 0,
    machine: idOf(ids.virtualmachine) ?? 0,
  }
}

/** The datacenter in the address of a list, or undefined for the list of all datacenters. */
export function useDatacenterId(): number | undefined {
  const { datacenter } = useParams()
  return datacenter === undefined ? undefined : (idOf(datacenter) ?? 0)
}

/** An id in the query of the address, or undefined. */
export const idIn = (search: URLSearchParams, name: string): number | undefined => idOf(search.get(name))
