import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { resourceQuery } from '#lib/client/resources.queries'
import type { DeviceStateDocument } from '#lib/cloud/translations/translations.schema'

/** Milliseconds. */
const AGAIN = 3000

/** The report of a device's gateway, read again while it is on the screen. */
export const deviceStateQuery = (datacenter: number, device: number) => ({
  ...resourceQuery<DeviceStateDocument>(`/api${pathOf(kinds.device, { datacenter, id: device })}/state`),
  refetchInterval: AGAIN,
})
