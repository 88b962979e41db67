import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { collectionOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import {
  collectionQuery,
  invalidateBelow,
  pickerQuery,
  type Query,
  resourceQuery,
  useRemove,
  useSave,
} from '#lib/client/resources.queries'
import {
  type DeviceDocument,
  type DeviceInput,
  type DeviceTypeDocument,
  hasReported,
  isLinux,
} from '#lib/cloud/infrastructure/devices.schema'

/** The type of device that is only a name for a list of translations. */
export const LIST_TYPE = 'LOGICAL'

const deviceTypesPath = '/api/config/devicetypes'

const devicesPath = (datacenter: number): string => `/api${collectionOf(kinds.device, { datacenter })}`

export const devicesQuery = (datacenter: number, query?: Query & { nat?: boolean }) =>
  collectionQuery<DeviceDocument>(devicesPath(datacenter), query)

/** Milliseconds. */
const AGAIN = 3000

/** The oldest devices of a datacenter that support NAT, read again while they are on the screen until one of their gateways reports. */
export const gatewaysQuery = (datacenter: number) => {
  const query = devicesQuery(datacenter, { by: 'id', limit: 25, nat: true })
  return queryOptions({
    ...query,
    refetchInterval: ({ state }) => {
      const linux = state.data?.collection.filter(isLinux) ?? []
      return linux.length > 0 && !linux.some(hasReported) ? AGAIN : false
    },
  })
}

export const allDevicesPath = '/api/cloud/devices'

/** The devices of all visible datacenters. */
export const allDevicesQuery = (query: Query & { faulty?: boolean }) =>
  collectionQuery<DeviceDocument>(allDevicesPath, query)

const devicePath = (datacenter: number, device: number): string => `${devicesPath(datacenter)}/${device}`

export const deviceQuery = (datacenter: number, device: number) =>
  resourceQuery<DeviceDocument>(devicePath(datacenter, device))

/** All device types at once: they are few and come with the product. */
export const deviceTypesQuery = () => collectionQuery<DeviceTypeDocument>(deviceTypesPath, { limit: 0 })

export const devicePickerQuery = (datacenter: number, has: string) =>
  pickerQuery<DeviceDocument>(devicesPath(datacenter), has)

/** Without a password the current one stays, an empty one removes it. */
type SentDevice = Omit<DeviceInput, 'links' | 'password'> & {
  devicetype: number | undefined
  password: string | undefined
}

const deviceBody = ({ devicetype, ...fields }: SentDevice, current?: DeviceDocument) => ({
  ...(current && { id: current.id }),
  ...fields,
  links: devicetype === undefined ? [] : [{ rel: 'devicetype', href: `${deviceTypesPath}/${devicetype}` }],
})

export const useSaveDevice = (datacenter: number) =>
  useSave(devicesPath(datacenter), deviceBody, devicesChanged(datacenter))

export const useRemoveDevice = (datacenter: number) =>
  useRemove<DeviceDocument>(devicesPath(datacenter), devicesChanged(datacenter))

/** NAT networks show the names of their devices. */
const devicesChanged = (datacenter: number) => (client: QueryClient, gone?: string) =>
  invalidateBelow(
    client,
    [devicesPath(datacenter), allDevicesPath, `/api${collectionOf(kinds.natnetwork, { datacenter })}`],
    gone,
  )
