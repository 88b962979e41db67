import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import {
  collectionQuery,
  ifMatch,
  isAtOrBelow,
  type Query,
  resourceQuery,
  type Tagged,
} from '#lib/client/resources.queries'
import type {
  DatacenterDocument,
  DatacenterInput,
  RackDocument,
  RemoteServiceDocument,
} from '#lib/infrastructure/datacenters.schema'

export const datacentersPath = '/api/admin/datacenters'

/** The NAT networks of all datacenters, whose names they tell. */
export const allNatNetworksPath = '/api/admin/natnetworks'

const namesDatacenters = (key: readonly unknown[]): boolean =>
  isAtOrBelow(key, datacentersPath) || isAtOrBelow(key, allNatNetworksPath)

export const datacenterPath = (datacenter: number): string => `${datacentersPath}/${datacenter}`

export const datacentersQuery = (query?: Query) => collectionQuery<DatacenterDocument>(datacentersPath, query)

export const datacenterQuery = (datacenter: number) =>
  resourceQuery<DatacenterDocument>(datacenterPath(datacenter))

export const racksQuery = (datacenter: number, query?: Query) =>
  collectionQuery<RackDocument>(`${datacenterPath(datacenter)}/racks`, query)

export const remoteServicesQuery = (datacenter: number, query?: Query) =>
  collectionQuery<RemoteServiceDocument>(`${datacenterPath(datacenter)}/remoteservices`, query)

type Save = { draft: DatacenterInput; current?: Tagged<DatacenterDocument> }

/** Creates, or replaces `current`. */
export function useSaveDatacenter() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ draft, current }: Save) => {
      const input = { ...draft, name: draft.name.trim() }
      return current
        ? api<DatacenterDocument>(datacenterPath(current.document.id), {
            method: 'PUT',
            body: { ...current.document, ...input },
            headers: ifMatch(current.etag),
          })
        : api<DatacenterDocument>(datacentersPath, { method: 'POST', body: input })
    },
    onSuccess: () => client.invalidateQueries({ predicate: ({ queryKey }) => namesDatacenters(queryKey) }),
  })
}

export function useRemoveDatacenter() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ document, etag }: Tagged<DatacenterDocument>) =>
      api<void>(datacenterPath(document.id), { method: 'DELETE', headers: ifMatch(etag) }),
    onSuccess: (_, { document }) =>
      client.invalidateQueries({
        predicate: ({ queryKey }) =>
          namesDatacenters(queryKey) && !isAtOrBelow(queryKey, datacenterPath(document.id)),
      }),
  })
}
