import { readDeviceType } from '#lib/infrastructure/devices.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'Read a device type',
    anyOf: 'user',
    ids: { devicetype: 'DEVICETYPE-1' },
    answers: 'devicetype',
  },
  readDeviceType,
)
