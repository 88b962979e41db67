import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import {
  collectionQuery,
  ifMatch,
  isAtOrBelow,
  pickerQuery,
  type Query,
  resourceQuery,
  type Tagged,
} from '#lib/client/resources.queries'
import type { DeviceDocument, DeviceTypeDocument } from '#lib/infrastructure/devices.schema'

const deviceTypesPath = '/api/config/devicetypes'

const devicesPath = (datacenter: number): string => `/api/cloud/locations/${datacenter}/devices`

export const devicesQuery = (datacenter: number, query?: Query) =>
  collectionQuery<DeviceDocument>(devicesPath(datacenter), query)

const devicePath = (datacenter: number, device: number): string => `${devicesPath(datacenter)}/${device}`

export const deviceQuery = (datacenter: number, device: number) =>
  resourceQuery<DeviceDocument>(devicePath(datacenter, device))

/** Device types are few and come with the product: all at once. */
export const deviceTypesQuery = () => collectionQuery<DeviceTypeDocument>(deviceTypesPath, { limit: 0 })

export const devicePickerQuery = (datacenter: number, has: string) =>
  pickerQuery<DeviceDocument>(devicesPath(datacenter), has)

/** What the form of a device asks. An empty password leaves the present one, `forget` takes it away. */
export type DeviceDraft = {
  name: string
  type: number | undefined
  description: string
  endpoint: string
  user: string
  password: string
  forget: boolean
}

/** The document to send. */
function deviceBody({ type, forget, password, ...fields }: DeviceDraft, current?: DeviceDocument) {
  return {
    ...(current && { id: current.id }),
    ...fields,
    name: fields.name.trim(),
    ...(forget ? { password: '' } : password !== '' && { password }),
    links: type === undefined ? [] : [{ rel: 'devicetype', href: `${deviceTypesPath}/${type}` }],
  }
}

type Save = { draft: DeviceDraft; current?: Tagged<DeviceDocument> }

/** Creates, or replaces `current`. */
export function useSaveDevice(datacenter: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ draft, current }: Save) =>
      current
        ? api<DeviceDocument>(devicePath(datacenter, current.document.id), {
            method: 'PUT',
            body: deviceBody(draft, current.document),
            headers: ifMatch(current.etag),
          })
        : api<DeviceDocument>(devicesPath(datacenter), { method: 'POST', body: deviceBody(draft) }),
    onSuccess: () => devicesChanged(client, datacenter),
  })
}

export function useRemoveDevice(datacenter: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ document, etag }: Tagged<DeviceDocument>) =>
      api<void>(devicePath(datacenter, document.id), { method: 'DELETE', headers: ifMatch(etag) }),
    onSuccess: (_, { document }) => devicesChanged(client, datacenter, document.id),
  })
}

/** NAT networks show the name of their device. What is gone is not asked for again. */
async function devicesChanged(client: QueryClient, datacenter: number, gone?: number): Promise<void> {
  const isGone = (key: readonly unknown[]) =>
    gone !== undefined && isAtOrBelow(key, devicePath(datacenter, gone))
  await client.invalidateQueries({
    predicate: ({ queryKey }) =>
      (isAtOrBelow(queryKey, devicesPath(datacenter)) && !isGone(queryKey)) ||
      isAtOrBelow(queryKey, `/api/admin/datacenters/${datacenter}/natnetworks`),
  })
}
