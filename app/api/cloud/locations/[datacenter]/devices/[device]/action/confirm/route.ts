import { deviceTarget } from '#lib/cloud/infrastructure/devices.server'
import { confirmChange } from '#lib/cloud/translations/unconfirmed.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(confirmChange, {
  summary: 'Confirm the changes of a device, so that they stay',
  who: { anyOf: ['MANAGE_DEVICES', 'PHYS_DC_ALLOW_MODIFY_NETWORK'], ownAccount: 'never' },
  target: { ids: deviceTarget.ids, find: deviceTarget.find },
  event: null,
  refuses: ['DEVICE-4'],
})
