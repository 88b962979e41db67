import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  collectionQuery,
  deleteResource,
  invalidateBelow,
  type Query,
  resourceQuery,
  saveResource,
  type Tagged,
} from '#lib/client/resources.queries'
import type {
  DatacenterDocument,
  DatacenterInput,
  RackDocument,
  RemoteServiceDocument,
} from '#lib/infrastructure/datacenters.schema'

export const datacentersPath = '/api/admin/datacenters'

/** The NAT networks of all datacenters, with the names of their datacenters. */
export const allNatNetworksPath = '/api/admin/natnetworks'

export const datacenterPath = (datacenter: number): string => `${datacentersPath}/${datacenter}`

export const datacentersQuery = (query?: Query) => collectionQuery<DatacenterDocument>(datacentersPath, query)

export const datacenterQuery = (datacenter: number) =>
  resourceQuery<DatacenterDocument>(datacenterPath(datacenter))

export const racksQuery = (datacenter: number, query?: Query) =>
  collectionQuery<RackDocument>(`${datacenterPath(datacenter)}/racks`, query)

export const remoteServicesQuery = (datacenter: number, query?: Query) =>
  collectionQuery<RemoteServiceDocument>(`${datacenterPath(datacenter)}/remoteservices`, query)

type Save = { draft: DatacenterInput; current?: Tagged<DatacenterDocument> }

export function useSaveDatacenter() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ draft, current }: Save) => {
      const body = { ...current?.document, ...draft, name: draft.name.trim() }
      return saveResource<DatacenterDocument>(datacentersPath, { body, current })
    },
    onSuccess: () => datacentersChanged(client),
  })
}

export function useRemoveDatacenter() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (datacenter: Tagged<DatacenterDocument>) => deleteResource(datacentersPath, datacenter),
    onSuccess: (_, { document }) => datacentersChanged(client, datacenterPath(document.id)),
  })
}

const datacentersChanged = (client: QueryClient, gone?: string): Promise<void> =>
  invalidateBelow(client, [datacentersPath, allNatNetworksPath], gone)
