import { collectionOf, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import {
  collectionQuery,
  invalidateBelow,
  pickerQuery,
  type Query,
  resourceQuery,
  useSave,
} from '#lib/client/resources.queries'
import type { VirtualDatacenterDocument } from '#lib/cloud/infrastructure/virtual-datacenters.schema'

const centersPath = `/api${collectionOf(kinds.virtualdatacenter)}`

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
    { rel: 'enterprise', href: `/api${pathOf(kinds.enterprise, { id: enterprise })}` },
    { rel: 'location', href: `/api${pathOf(kinds.location, { id: datacenter })}` },
  ],
})

export const useCreateVirtualDatacenter = () =>
  useSave<NewCenter, VirtualDatacenterDocument>(centersPath, newCenterBody, (client) =>
    invalidateBelow(client, [centersPath]),
  )
