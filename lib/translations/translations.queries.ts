import { resourceQuery } from '#lib/client/resources.queries'
import { pathOf } from '#lib/kinds/kind'
import { kinds } from '#lib/kinds/kinds'
import type { DeviceStateDocument } from '#lib/translations/translations.schema'

/** Milliseconds. */
const AGAIN = 3000

/** What the gateway of a device reported, read again while it is on the screen. */
export const deviceStateQuery = (datacenter: number, device: number) => ({
  ...resourceQuery<DeviceStateDocument>(`/api${pathOf(kinds.device, { datacenter, id: device })}/state`),
  refetchInterval: AGAIN,
})
