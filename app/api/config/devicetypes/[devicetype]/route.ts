import { deviceTypeTarget } from '#lib/infrastructure/devices.server'
import { shows } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a device type',
  anyOf: 'user',
  target: deviceTypeTarget,
  answers: 'devicetype',
})
