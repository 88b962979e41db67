import type { QueryClient } from '@tanstack/react-query'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { api } from '#lib/client/api'
import { invalidateBelow, resourceQuery, useChange } from '#lib/client/resources.queries'
import type { DeviceChangeDocument } from '#lib/cloud/translations/translations.schema'

type Device = { datacenter: number; id: number }

const devicePath = ({ datacenter, id }: Device): string => `/api${pathOf(kinds.device, { datacenter, id })}`

/** Milliseconds. */
const AGAIN = 2000

/** Until when the changes of a device wait to be confirmed. Read again while it is on the screen. */
export const deviceChangeQuery = (device: Device) => ({
  ...resourceQuery<DeviceChangeDocument>(`${devicePath(device)}/change`),
  refetchInterval: AGAIN,
})

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

/** All data that shows the changes is read again once they are undone (components/frame/waiting/waiting-change.tsx). */
export const useCancelChange = (device: Device) =>
  useChange(
    (_: undefined, once) => api(`${devicePath(device)}/action/cancel`, { method: 'POST', once }),
    changed(device),
  )
