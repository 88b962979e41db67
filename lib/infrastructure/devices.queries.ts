import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  collectionQuery,
  deleteResource,
  invalidateBelow,
  pickerQuery,
  type Query,
  resourceQuery,
  saveResource,
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

/** All device types at once: they are few and come with the product. */
export const deviceTypesQuery = () => collectionQuery<DeviceTypeDocument>(deviceTypesPath, { limit: 0 })

export const devicePickerQuery = (datacenter: number, has: string) =>
  pickerQuery<DeviceDocument>(devicesPath(datacenter), has)

/** The form of a device. An empty password keeps the current one, `forget` removes it. */
export type DeviceDraft = {
  name: string
  type: number | undefined
  description: string
  endpoint: string
  user: string
  password: string
  forget: boolean
}

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

export function useSaveDevice(datacenter: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ draft, current }: Save) =>
      saveResource<DeviceDocument>(devicesPath(datacenter), {
        body: deviceBody(draft, current?.document),
        current,
      }),
    onSuccess: () => devicesChanged(client, datacenter),
  })
}

export function useRemoveDevice(datacenter: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (device: Tagged<DeviceDocument>) => deleteResource(devicesPath(datacenter), device),
    onSuccess: (_, { document }) => devicesChanged(client, datacenter, devicePath(datacenter, document.id)),
  })
}

/** NAT networks show the names of their devices. */
const devicesChanged = (client: QueryClient, datacenter: number, gone?: string): Promise<void> =>
  invalidateBelow(client, [devicesPath(datacenter), `/api/admin/datacenters/${datacenter}/natnetworks`], gone)
