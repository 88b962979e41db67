import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import type { LinkDocument } from '#lib/http/view'
import { datacenterPath } from '#lib/infrastructure/datacenters.queries'
import {
  collectionQuery,
  ifMatch,
  isAtOrBelow,
  type Query,
  resourceQuery,
  type Tagged,
} from '#lib/infrastructure/resources.queries'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'

export const natNetworksPath = (datacenter: number): string => `${datacenterPath(datacenter)}/natnetworks`

export const natNetworkPath = (datacenter: number, network: number): string =>
  `${natNetworksPath(datacenter)}/${network}`

export const natNetworksQuery = (datacenter: number, query?: Query) =>
  collectionQuery<NatNetworkDocument>(natNetworksPath(datacenter), query)

export const natNetworkQuery = (datacenter: number, network: number) =>
  resourceQuery<NatNetworkDocument>(natNetworkPath(datacenter, network))

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
    onSuccess: () =>
      client.invalidateQueries({
        predicate: ({ queryKey }) => isAtOrBelow(queryKey, natNetworksPath(datacenter)),
      }),
  })
}

export function useRemoveNatNetwork(datacenter: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ document, etag }: Tagged<NatNetworkDocument>) =>
      api<void>(natNetworkPath(datacenter, document.id), { method: 'DELETE', headers: ifMatch(etag) }),
    onSuccess: (_, { document }) =>
      client.invalidateQueries({
        predicate: ({ queryKey }) =>
          isAtOrBelow(queryKey, natNetworksPath(datacenter)) &&
          !isAtOrBelow(queryKey, natNetworkPath(datacenter, document.id)),
      }),
  })
}
