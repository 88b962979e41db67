import { deviceTarget } from '#lib/infrastructure/devices.server'
import { reads } from '#lib/pipeline/endpoint.server'
import { showChange } from '#lib/translations/unconfirmed.server'

export const GET = reads(showChange, {
  summary: 'Read until when the changes of a device wait to be confirmed',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS', 'MANAGE_DEVICES'] },
  target: deviceTarget,
  answers: { as: 'devicechange' },
})
