import { deviceTypeTarget } from '#lib/cloud/infrastructure/devices.server'
import { shows } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a device type',
  who: { anyOf: 'user' },
  target: deviceTypeTarget,
  answers: { as: 'devicetype' },
})
