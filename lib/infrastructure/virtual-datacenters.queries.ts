import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import { collectionQuery, pathKey, type Query, resourceQuery } from '#lib/client/resources.queries'
import type { Collection } from '#lib/http/view'
import type { VirtualMachineDocument } from '#lib/infrastructure/machines.schema'
import type { VirtualApplianceDocument } from '#lib/infrastructure/virtual-appliances.schema'
import type { VirtualDatacenterDocument } from '#lib/infrastructure/virtual-datacenters.schema'

const centersPath = '/api/cloud/virtualdatacenters'

export const centerPath = (center: number): string => `${centersPath}/${center}`

export const virtualDatacentersQuery = (query?: Query) =>
  collectionQuery<VirtualDatacenterDocument>(centersPath, query)

export const virtualDatacenterQuery = (center: number) =>
  resourceQuery<VirtualDatacenterDocument>(centerPath(center))

const pickerPage = 25

/** What contains `has`, page after page as the list of a picker is scrolled. */
export const pickerQuery = <T>(path: string, query: Query) =>
  infiniteQueryOptions({
    queryKey: [...pathKey(path), 'picker', query] as readonly unknown[],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      api<Collection<T>>(path, { query: { ...query, startwith: pageParam, limit: pickerPage }, signal }),
    getNextPageParam: ({ totalSize }, _, last) =>
      last + pickerPage < totalSize ? last + pickerPage : undefined,
  })

export const byName = (has: string) => ({ by: 'name', has: has || undefined })

export const virtualDatacenterPickerQuery = (datacenter: number, has: string) =>
  pickerQuery<VirtualDatacenterDocument>(centersPath, { ...byName(has), datacenter })

const appliancesPath = (center: number): string => `${centerPath(center)}/virtualappliances`

export const virtualAppliancePickerQuery = (center: number, has: string) =>
  pickerQuery<VirtualApplianceDocument>(appliancesPath(center), byName(has))

/** Machines come with their private IPs as links `nic0`, `nic1`, … */
export const virtualMachinePickerQuery = (center: number, appliance: number, has: string) =>
  pickerQuery<VirtualMachineDocument>(`${appliancesPath(center)}/${appliance}/virtualmachines`, byName(has))
