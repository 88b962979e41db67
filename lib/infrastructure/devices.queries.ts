import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import type { Collection } from '#lib/http/view'
import type { DeviceDocument, DeviceTypeDocument } from '#lib/infrastructure/devices.schema'
import { collectionQuery, pathKey, type Query } from '#lib/infrastructure/resources.queries'

const devicesPath = (datacenter: number): string => `/api/cloud/locations/${datacenter}/devices`

export const devicesQuery = (datacenter: number, query?: Query) =>
  collectionQuery<DeviceDocument>(devicesPath(datacenter), query)

/** Device types are few and come with the product: all at once. */
export const deviceTypesQuery = () =>
  collectionQuery<DeviceTypeDocument>('/api/config/devicetypes', { limit: 0 })

const pickerPage = 25

/** The devices whose name contains `has`, page after page as the list of a picker is scrolled. */
export const devicePickerQuery = (datacenter: number, has: string) =>
  infiniteQueryOptions({
    queryKey: [...pathKey(devicesPath(datacenter)), 'picker', has],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      api<Collection<DeviceDocument>>(devicesPath(datacenter), {
        query: { startwith: pageParam, limit: pickerPage, by: 'name', has: has || undefined },
        signal,
      }),
    getNextPageParam: ({ totalSize }, _, last) =>
      last + pickerPage < totalSize ? last + pickerPage : undefined,
  })
