import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '#lib/client/api'
import { collectionQuery, pathKey, type Query, resourceQuery } from '#lib/client/resources.queries'
import type { Collection } from '#lib/http/view'
import type { ipsBulkInput, NatIpDocument, NatIpPosition, natIpInput } from '#lib/nat/ips.schema'
import { natChanged, natNetworkPath, natNetworksPath } from '#lib/nat/networks.queries'

/** The NAT IPs of one network, or of all networks of the datacenter; `query` may hold what `datacenterIpQuery` does. */
export const natIpsQuery = (datacenter: number, network: number | undefined, query: Query) =>
  collectionQuery<NatIpDocument>(
    network === undefined
      ? `${natNetworksPath(datacenter)}/action/allips`
      : `${natNetworkPath(datacenter, network)}/ips`,
    query,
  )

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
