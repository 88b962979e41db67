import type { QueryClient } from '@tanstack/react-query'
import { collectionOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import {
  collectionQuery,
  invalidateBelow,
  type Query,
  resourceQuery,
  useRemove,
  useSave,
} from '#lib/client/resources.queries'
import type {
  DatacenterDocument,
  DatacenterInput,
  RackDocument,
  RemoteServiceDocument,
} from '#lib/cloud/infrastructure/datacenters.schema'

export const datacentersPath = `/api${collectionOf(kinds.datacenter)}`

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

const datacenterBody = (draft: DatacenterInput, current?: DatacenterDocument) => ({
  ...current,
  ...draft,
  name: draft.name.trim(),
})

export const useSaveDatacenter = () => useSave(datacentersPath, datacenterBody, datacentersChanged)

export const useRemoveDatacenter = () => useRemove<DatacenterDocument>(datacentersPath, datacentersChanged)

const datacentersChanged = (client: QueryClient, gone?: string): Promise<void> =>
  invalidateBelow(client, [datacentersPath, allNatNetworksPath], gone)
