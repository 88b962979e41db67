import { collectionOf, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import type { Noted } from '#lib/caller/kinds/notes.schema'
import { api } from '#lib/client/api'
import {
  collectionQuery,
  ifMatch,
  invalidateBelow,
  pickerQuery,
  type Query,
  resourceQuery,
  type Tagged,
  useChange,
  useRemove,
  useSave,
} from '#lib/client/resources.queries'
import type { VirtualDatacenterDocument } from '#lib/cloud/infrastructure/virtual-datacenters.schema'
import { type LinkDocument, linkOf, type Named } from '#lib/ground/http/view'

export const centersPath = `/api${collectionOf(kinds.virtualdatacenter)}`

export const centerPath = (center: number): string => `${centersPath}/${center}`

export const virtualDatacentersQuery = (query?: Query) =>
  collectionQuery<VirtualDatacenterDocument>(centersPath, query)

export const virtualDatacenterQuery = (center: number) =>
  resourceQuery<VirtualDatacenterDocument>(centerPath(center))

export const virtualDatacenterPickerQuery = (datacenter: number | undefined, has: string) =>
  pickerQuery<VirtualDatacenterDocument>(centersPath, has, { datacenter })

type NewCenter = Partial<Noted> & { name: string; enterprise: number; datacenter: number }

export const newCenterBody = ({ enterprise, datacenter, ...fields }: NewCenter) => ({
  ...fields,
  links: [
    { rel: 'enterprise', href: `/api${pathOf(kinds.enterprise, { id: enterprise })}` },
    { rel: 'location', href: `/api${pathOf(kinds.location, { id: datacenter })}` },
  ],
})

export const useCreateVirtualDatacenter = () =>
  useSave<NewCenter, VirtualDatacenterDocument>(centersPath, newCenterBody, (client) =>
    invalidateBelow(client, [centersPath]),
  )

type CenterChange = Noted & { name: string; device: Named | undefined }

/** Without a device the link to the device is left out, which removes it. */
const changedBody = (document: VirtualDatacenterDocument, { device, ...fields }: CenterChange) => ({
  ...document,
  ...fields,
  links: [
    ...document.links.filter(({ rel }) => rel !== 'device'),
    ...(device ? [{ rel: 'device', href: deviceHref(document.links, device.id) }] : []),
  ],
})

const deviceHref = (links: readonly LinkDocument[], device: number): string =>
  `${linkOf({ links }, 'location')?.href}/devices/${device}`

export const useChangeVirtualDatacenter = () =>
  useChange(
    ({ draft, current }: { draft: CenterChange; current: Tagged<VirtualDatacenterDocument> }) =>
      api<VirtualDatacenterDocument>(centerPath(current.document.id), {
        method: 'PUT',
        body: changedBody(current.document, draft),
        headers: ifMatch(current.etag),
      }),
    (client) => invalidateBelow(client, [centersPath]),
  )

export const useRemoveVirtualDatacenter = () =>
  useRemove<VirtualDatacenterDocument>(centersPath, (client, gone) =>
    invalidateBelow(client, [centersPath], gone),
  )
