import { deviceTarget } from '#lib/infrastructure/devices.server'
import { writes } from '#lib/pipeline/endpoint.server'
import { confirmChange } from '#lib/translations/unconfirmed.server'

export const POST = writes(confirmChange, {
  summary: 'Confirm the changes of a device, so that they stay',
  who: { anyOf: ['MANAGE_DEVICES', 'PHYS_DC_ALLOW_MODIFY_NETWORK'], ownAccount: 'never' },
  target: { ids: deviceTarget.ids, find: deviceTarget.find },
  event: null,
  refuses: ['DEVICE-4'],
})
