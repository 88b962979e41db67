import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Noted } from '#lib/caller/kinds/notes.schema'
import { api } from '#lib/client/api'
import {
  collectionQuery,
  invalidateBelow,
  pathKey,
  pickerQuery,
  type Query,
  resourceQuery,
  saveResource,
  type Tagged,
  useChange,
  useRemove,
} from '#lib/client/resources.queries'
import {
  allNatNetworksPath,
  datacenterPath,
  datacentersPath,
} from '#lib/cloud/infrastructure/datacenters.queries'
import { lowestFree } from '#lib/cloud/nat/lowest-free'
import type { AddressMapDocument, NatNetworkDocument, NatUseDocument } from '#lib/cloud/nat/networks.schema'
import type { UseHistoryDocument } from '#lib/cloud/nat/use-history.schema'
import type { LinkDocument } from '#lib/ground/http/view'

/** The NAT networks of one datacenter, or of all that are visible. */
export const natNetworksPath = (datacenter: number | undefined): string =>
  datacenter === undefined ? allNatNetworksPath : `${datacenterPath(datacenter)}/natnetworks`

export const natNetworkPath = (datacenter: number | undefined, network: number): string =>
  `${natNetworksPath(datacenter)}/${network}`

/** Ordered by one of `natNetworkOrders`; without a datacenter, by one of `allNatNetworkOrders`. */
export const natNetworksQuery = (datacenter: number | undefined, query?: Query) =>
  collectionQuery<NatNetworkDocument>(natNetworksPath(datacenter), query)

/** The numbers of used NAT IPs of each datacenter. */
export const natUseQuery = (query?: Query) =>
  collectionQuery<NatUseDocument>(`${allNatNetworksPath}/action/use`, query)

export const natNetworkQuery = (datacenter: number, network: number) =>
  resourceQuery<NatNetworkDocument>(natNetworkPath(datacenter, network))

type MapPlace = { datacenter: number; network: number; block: string | undefined }

/** The use of a block; if absent, of the whole network or of its smallest block that holds all IPs. */
export function addressMapQuery({ datacenter, network, block }: MapPlace, faults?: true) {
  const path = `${natNetworkPath(datacenter, network)}/action/addressmap`
  return queryOptions({
    queryKey: [...pathKey(path), { block, faults }],
    queryFn: ({ signal, meta }) => api<AddressMapDocument>(path, { query: { block, faults }, signal, meta }),
  })
}

/** The address that an IP without a chosen address would get; null if the network is full. */
export function lowestFreeQuery(datacenter: number, network: { id: number; cidr: string }) {
  const path = `${natNetworkPath(datacenter, network.id)}/action/addressmap`
  return queryOptions({
    queryKey: [...pathKey(path), 'lowest'],
    queryFn: async ({ signal, meta }) => {
      let block = network.cidr
      for (;;) {
        const found = lowestFree(
          await api<AddressMapDocument>(path, { query: { block }, signal, meta }),
          network.cidr,
        )
        if (!found) return null
        if ('address' in found) return found.address
        block = found.block
      }
    },
  })
}

/** RFC 5737: ranges for documentation. Then private ones (RFC 1918) that are seldom in use. */
const examples = [
  '203.0.113.0/24',
  '198.51.100.0/24',
  '192.0.2.0/24',
  ...Array.from({ length: 16 }, (_, index) => `10.${200 + index}.0.0/24`),
]

/** The first example that overlaps no NAT network; null if all do. */
export async function freeRange(overlaps: (cidr: string) => Promise<boolean>): Promise<string | null> {
  for (const cidr of examples) if (!(await overlaps(cidr))) return cidr
  return null
}

/** Whether a visible NAT network overlaps the range. */
export const overlapsNetwork = async (client: QueryClient, cidr: string): Promise<boolean> => {
  const query = { ...natNetworksQuery(undefined, { overlaps: cidr, limit: 1 }), staleTime: 0 }
  return (await client.fetchQuery(query)).totalSize > 0
}

/** The use of a network on each of the last 30 days. */
export function useHistoryQuery(datacenter: number, network: number) {
  const path = `${natNetworkPath(datacenter, network)}/action/usehistory`
  return queryOptions({
    queryKey: pathKey(path) as readonly unknown[],
    queryFn: ({ signal, meta }) => api<UseHistoryDocument>(path, { signal, meta }),
  })
}

export const natNetworkPickerQuery = (datacenter: number, has: string) =>
  pickerQuery<NatNetworkDocument>(natNetworksPath(datacenter), has)

/** After a change of networks, IPs or rules: lists, totals and maps of the datacenter, or of all, are fetched again. */
export const natChanged = (
  client: QueryClient,
  datacenter: number | undefined,
  gone?: string,
): Promise<void> =>
  invalidateBelow(
    client,
    [datacenter === undefined ? datacentersPath : natNetworksPath(datacenter), allNatNetworksPath],
    gone,
  )

/** `device`: its address. */
type SentNetwork = Noted & {
  datacenter: number | undefined
  name: string
  cidr: string
  device: string | undefined
}

/** The body of a PUT replaces the whole document, so the other fields go back unchanged. */
export function natNetworkBody(
  { device, datacenter: _, ...fields }: SentNetwork,
  current?: NatNetworkDocument,
) {
  const others = current?.links.filter(({ rel }) => rel !== 'device') ?? []
  const chosen: LinkDocument[] = device === undefined ? [] : [{ rel: 'device', href: device }]
  return { ...current, ...fields, links: [...others, ...chosen] }
}

type Save = { draft: SentNetwork; current?: Tagged<NatNetworkDocument> }

export const useSaveNatNetwork = () =>
  useChange(
    ({ draft, current }: Save, once) =>
      saveResource<NatNetworkDocument>(
        natNetworksPath(draft.datacenter),
        { body: natNetworkBody(draft, current?.document), current },
        once,
      ),
    (client, { draft }) => natChanged(client, draft.datacenter),
  )

export const useRemoveNatNetwork = (datacenter: number) =>
  useRemove<NatNetworkDocument>(natNetworksPath(datacenter), (client, gone) =>
    natChanged(client, datacenter, gone),
  )
