import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiFailure, api } from '#lib/client/api'
import { invalidateBelow, pathKey, useChange } from '#lib/client/resources.queries'
import type { DeviceChangeDocument } from '#lib/translations/translations.schema'

type Device = { datacenter: number; id: number }

const devicePath = ({ datacenter, id }: Device): string => `/api/cloud/locations/${datacenter}/devices/${id}`

/** Milliseconds. */
const AGAIN = 2000

/** The changes of a device that wait to be confirmed; null where none do. Read again while it is on the screen. */
export const deviceChangeQuery = (device: Device) => {
  const path = `${devicePath(device)}/change`
  return queryOptions({
    queryKey: pathKey(path) as readonly unknown[],
    queryFn: async ({ signal }): Promise<DeviceChangeDocument | null> => {
      try {
        return await api<DeviceChangeDocument>(path, { signal })
      } catch (error) {
        if (error instanceof ApiFailure && error.status === 404) return null
        throw error
      }
    },
    refetchInterval: AGAIN,
  })
}

const changed = (device: Device) => (client: QueryClient) => invalidateBelow(client, [devicePath(device)])

export const useBeginChange = (device: Device) =>
  useChange(
    (confirmTimeout: number, once) =>
      api<DeviceChangeDocument>(`${devicePath(device)}/action/change`, {
        method: 'POST',
        body: { confirmTimeout },
        once,
      }),
    changed(device),
  )

export const useConfirmChange = (device: Device) =>
  useChange(
    (_: undefined, once) => api(`${devicePath(device)}/action/confirm`, { method: 'POST', once }),
    changed(device),
  )

/** What the changes touched is read again once they are gone, by whoever shows it. */
export const useCancelChange = (device: Device) =>
  useChange(
    (_: undefined, once) => api(`${devicePath(device)}/action/cancel`, { method: 'POST', once }),
    changed(device),
  )
