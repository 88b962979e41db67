import { collectionQuery, pickerQuery, type Query, resourceQuery } from '#lib/client/resources.queries'
import type { VirtualDatacenterDocument } from '#lib/infrastructure/virtual-datacenters.schema'

const centersPath = '/api/cloud/virtualdatacenters'

export const centerPath = (center: number): string => `${centersPath}/${center}`

export const virtualDatacentersQuery = (query?: Query) =>
  collectionQuery<VirtualDatacenterDocument>(centersPath, query)

export const virtualDatacenterQuery = (center: number) =>
  resourceQuery<VirtualDatacenterDocument>(centerPath(center))

export const virtualDatacenterPickerQuery = (datacenter: number, has: string) =>
  pickerQuery<VirtualDatacenterDocument>(centersPath, has, { datacenter })
