import { reads } from '#lib/http/endpoint.server'
import { readDeviceType } from '#lib/infrastructure/devices.server'

export const GET = reads(
  { anyOf: 'user', ids: { devicetype: 'DEVICETYPE-1' }, answers: 'devicetype' },
  readDeviceType,
)
