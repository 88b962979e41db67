import { reads } from '#lib/http/endpoint.server'
import { readDevice } from '#lib/infrastructure/devices.server'

export const GET = reads(
  {
    summary: 'Read a device',
    anyOf: ['PHYS_DC_RETRIEVE_DETAILS', 'MANAGE_DEVICES'],
    ids: { datacenter: 'DC-0', device: 'NETDEVICE-1' },
    answers: 'device',
  },
  readDevice,
)
