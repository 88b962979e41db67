import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '#lib/client/api'
import { type Collection, idOfLink, linkOf } from '#lib/http/view'
import {
  collectionQuery,
  ifMatch,
  pathKey,
  type Query,
  resourceQuery,
  type Tagged,
} from '#lib/infrastructure/resources.queries'
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

const pathOf = (datacenter: number, ip: NatIpDocument): string =>
  natIpPath(datacenter, idOfLink(linkOf(ip, 'natnetwork')) ?? 0, ip.id)

type Change = { available?: boolean; quarantine?: boolean }

/** Makes an IP available or not, puts it in quarantine or takes it out. Without an ETag whatever it is now is replaced. */
export function useSaveNatIp(datacenter: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ current, change }: { current: Tagged<NatIpDocument>; change: Change }) =>
      api<NatIpDocument>(pathOf(datacenter, current.document), {
        method: 'PUT',
        body: { ...current.document, ...change },
        headers: ifMatch(current.etag),
      }),
    onSuccess: () => natChanged(client, datacenter),
  })
}

export function useRemoveNatIp(datacenter: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ document, etag }: Tagged<NatIpDocument>) =>
      api<void>(pathOf(datacenter, document), { method: 'DELETE', headers: ifMatch(etag) }),
    onSuccess: (_, { document }) => natChanged(client, datacenter, pathOf(datacenter, document)),
  })
}
