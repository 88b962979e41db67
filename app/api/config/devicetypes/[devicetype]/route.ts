import { reads } from '#lib/http/endpoint.server'
import { readDeviceType } from '#lib/infrastructure/devices.server'

export const GET = reads(
  {
    summary: 'Read a device type',
    anyOf: 'user',
    ids: { devicetype: 'DEVICETYPE-1' },
    answers: 'devicetype',
  },
  readDeviceType,
)
