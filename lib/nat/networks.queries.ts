import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import {
  collectionQuery,
  ifMatch,
  isAtOrBelow,
  pathKey,
  pickerQuery,
  type Query,
  resourceQuery,
  type Tagged,
} from '#lib/client/resources.queries'
import type { LinkDocument } from '#lib/http/view'
import { allNatNetworksPath, datacenterPath } from '#lib/infrastructure/datacenters.queries'
import type { AddressMapDocument, NatNetworkDocument, NatUseDocument } from '#lib/nat/networks.schema'

export const natNetworksPath = (datacenter: number): string => `${datacenterPath(datacenter)}/natnetworks`

export const natNetworkPath = (datacenter: number, network: number): string =>
  `${natNetworksPath(datacenter)}/${network}`

/** Ordered by one of `natNetworkOrders`. */
export const natNetworksQuery = (datacenter: number, query?: Query) =>
  collectionQuery<NatNetworkDocument>(natNetworksPath(datacenter), query)

export const natNetworkPickerQuery = (datacenter: number, has: string) =>
  pickerQuery<NatNetworkDocument>(natNetworksPath(datacenter), has)

/** The NAT networks of all datacenters that the caller sees, ordered by one of `allNatNetworkOrders`. */
export const allNatNetworksQuery = (query?: Query) =>
  collectionQuery<NatNetworkDocument>(allNatNetworksPath, query)

/** How much of the NAT IPs of each datacenter is in use. */
export const natUseQuery = (query?: Query) =>
  collectionQuery<NatUseDocument>(`${allNatNetworksPath}/action/use`, query)

export const natNetworkQuery = (datacenter: number, network: number) =>
  resourceQuery<NatNetworkDocument>(natNetworkPath(datacenter, network))

/** How a block of the network is used; without one the whole network, or what holds its IPs. */
export function addressMapQuery(datacenter: number, network: number, block?: string) {
  const path = `${natNetworkPath(datacenter, network)}/action/addressmap`
  return queryOptions({
    queryKey: [...pathKey(path), { block }],
    queryFn: ({ signal }) => api<AddressMapDocument>(path, { query: { block }, signal }),
  })
}

/** After a change of IPs or rules: the lists, the totals of the networks and the maps ask again, what is `gone` does not. */
export const natChanged = (client: QueryClient, datacenter: number, gone?: string): Promise<void> =>
  client.invalidateQueries({
    predicate: ({ queryKey }) =>
      (isAtOrBelow(queryKey, natNetworksPath(datacenter)) || isAtOrBelow(queryKey, allNatNetworksPath)) &&
      !(gone && isAtOrBelow(queryKey, gone)),
  })

/** The document to send: a PUT replaces the whole, so whatever else was read goes back as it came. */
export function natNetworkBody(
  { name, cidr, device }: { name: string; cidr: string; device: string | undefined },
  current?: NatNetworkDocument,
) {
  const others = current?.links.filter(({ rel }) => rel !== 'device') ?? []
  const chosen: LinkDocument[] = device === undefined ? [] : [{ rel: 'device', href: device }]
  return { ...current, name, cidr, links: [...others, ...chosen] }
}

type Save = { body: ReturnType<typeof natNetworkBody>; current?: Tagged<NatNetworkDocument> }

/** Creates, or replaces `current`. */
export function useSaveNatNetwork(datacenter: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ body, current }: Save) =>
      current
        ? api<NatNetworkDocument>(natNetworkPath(datacenter, current.document.id), {
            method: 'PUT',
            body,
            headers: ifMatch(current.etag),
          })
        : api<NatNetworkDocument>(natNetworksPath(datacenter), { method: 'POST', body }),
    onSuccess: () => natChanged(client, datacenter),
  })
}

export function useRemoveNatNetwork(datacenter: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ document, etag }: Tagged<NatNetworkDocument>) =>
      api<void>(natNetworkPath(datacenter, document.id), { method: 'DELETE', headers: ifMatch(etag) }),
    onSuccess: (_, { document }) => natChanged(client, datacenter, natNetworkPath(datacenter, document.id)),
  })
}
