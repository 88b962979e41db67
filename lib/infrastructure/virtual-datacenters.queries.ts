import {
  collectionQuery,
  invalidateBelow,
  pickerQuery,
  type Query,
  resourceQuery,
  useSave,
} from '#lib/client/resources.queries'
import type { VirtualDatacenterDocument } from '#lib/infrastructure/virtual-datacenters.schema'

const centersPath = '/api/cloud/virtualdatacenters'

export const centerPath = (center: number): string => `${centersPath}/${center}`

export const virtualDatacentersQuery = (query?: Query) =>
  collectionQuery<VirtualDatacenterDocument>(centersPath, query)

export const virtualDatacenterQuery = (center: number) =>
  resourceQuery<VirtualDatacenterDocument>(centerPath(center))

export const virtualDatacenterPickerQuery = (datacenter: number | undefined, has: string) =>
  pickerQuery<VirtualDatacenterDocument>(centersPath, has, { datacenter })

type NewCenter = { name: string; enterprise: number; datacenter: number }

const newCenterBody = ({ name, enterprise, datacenter }: NewCenter) => ({
  name,
  links: [
    { rel: 'enterprise', href: `/api/admin/enterprises/${enterprise}` },
    { rel: 'location', href: `/api/cloud/locations/${datacenter}` },
  ],
})

export const useCreateVirtualDatacenter = () =>
  useSave<NewCenter, VirtualDatacenterDocument>(centersPath, newCenterBody, (client) =>
    invalidateBelow(client, [centersPath]),
  )
