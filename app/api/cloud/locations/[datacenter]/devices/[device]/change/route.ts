import { deviceTarget } from '#lib/cloud/infrastructure/devices.server'
import { showChange } from '#lib/cloud/translations/unconfirmed.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(showChange, {
  summary: 'Read until when the changes of a device wait to be confirmed',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS', 'MANAGE_DEVICES'] },
  target: deviceTarget,
  answers: { as: 'devicechange' },
})
