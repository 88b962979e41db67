import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { z } from 'zod'
import { api, apiWithTag } from '#lib/client/api'
import {
  collectionQuery,
  ifMatch,
  pathKey,
  pickerQuery,
  type Query,
  resourceQuery,
} from '#lib/client/resources.queries'
import { type Collection, idOfLink, linkOf } from '#lib/http/view'
import { centerPath } from '#lib/infrastructure/virtual-datacenters.queries'
import type { ipsBulkInput, NatIpDocument, NatIpPosition, natIpInput } from './ips.schema'
import { natChanged, natNetworkPath, natNetworksPath } from './networks.queries'

/** The NAT IPs of one network, or of all networks of the datacenter; `query` may hold what `datacenterIpQuery` does. */
export const natIpsQuery = (datacenter: number, network: number | undefined, query: Query) =>
  collectionQuery<NatIpDocument>(
    network === undefined
      ? `${natNetworksPath(datacenter)}/action/allips`
      : `${natNetworkPath(datacenter, network)}/ips`,
    query,
  )

/** The NAT IPs that are attached to a virtual datacenter. */
export const attachedNatIpPickerQuery = (center: number, has: string) =>
  pickerQuery<NatIpDocument>(`${centerPath(center)}/natips`, has, { by: 'ip' })

export const natIpPath = (datacenter: number, network: number, ip: number): string =>
  `${natNetworkPath(datacenter, network)}/ips/${ip}`

export const natIpQuery = (datacenter: number, network: number, ip: number) =>
  resourceQuery<NatIpDocument>(natIpPath(datacenter, network, ip))

/** Where an address stands in the list of the same filters, ordered by IP; of one network with its id as `network`. */
export function ipPositionQuery(datacenter: number, query: Query & { ip: string }) {
  const path = `${natNetworksPath(datacenter)}/action/ipposition`
  return queryOptions({
    queryKey: [...pathKey(path), query],
    queryFn: ({ signal }) => api<NatIpPosition>(path, { query, signal }),
  })
}

/** One IP: the address that is given, or the lowest free one. */
export function useCreateNatIp(datacenter: number, network: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof natIpInput>) =>
      api<NatIpDocument>(`${natNetworkPath(datacenter, network)}/ips`, { method: 'POST', body }),
    onSuccess: () => natChanged(client, datacenter),
  })
}

/** The lowest free run of `numips` addresses, from `ip` on; answers the first of them and their number. */
export function useCreateNatIpRun(datacenter: number, network: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof ipsBulkInput>) =>
      api<Collection<NatIpDocument>>(`${natNetworkPath(datacenter, network)}/ips`, { method: 'POST', body }),
    onSuccess: () => natChanged(client, datacenter),
  })
}

/** Where the IPs of one network are listed, or those of all networks of the datacenter. */
export const natIpsPath = (datacenter: number, network: number | undefined): string =>
  network === undefined
    ? `${natNetworksPath(datacenter)}/action/allips`
    : `${natNetworkPath(datacenter, network)}/ips`

export type NatIpChange = { available?: boolean; quarantine?: boolean }

const pathOf = (datacenter: number, ip: NatIpDocument): string =>
  natIpPath(datacenter, idOfLink(linkOf(ip, 'natnetwork')) ?? 0, ip.id)

/** Changes one thing about an IP, whatever else was changed since it was listed. */
export async function changeNatIp(datacenter: number, ip: NatIpDocument, change: NatIpChange): Promise<void> {
  const path = pathOf(datacenter, ip)
  const { document, etag } = await apiWithTag<NatIpDocument>(path)
  await api(path, { method: 'PUT', body: { ...document, ...change }, headers: ifMatch(etag) })
}

export const deleteNatIp = (datacenter: number, ip: NatIpDocument): Promise<void> =>
  api(pathOf(datacenter, ip), { method: 'DELETE' })

const pause = 400

/** What is shown asks again after a change: once for many that follow each other. */
export function useNatChanged(datacenter: number): () => void {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const tell = useEffectEvent(() => {
    if (timer.current === undefined) return
    clearTimeout(timer.current)
    timer.current = undefined
    void natChanged(client, datacenter)
  })
  // A screen that is left in the meantime leaves no list behind that is out of date.
  useEffect(() => () => tell(), [])
  return () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(tell, pause)
  }
}
