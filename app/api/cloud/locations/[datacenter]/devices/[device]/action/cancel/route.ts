import { deviceTarget } from '#lib/cloud/infrastructure/devices.server'
import { cancelChange } from '#lib/cloud/translations/unconfirmed.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(cancelChange, {
  summary: 'Take the unconfirmed changes of a device back at once',
  who: {
    anyOf: ['MANAGE_DEVICES', 'PHYS_DC_ALLOW_MODIFY_NETWORK'],
    // The cancelled changes are NAT rules, which the operations of a machine's rules restore.
    alsoAnyOf: ['VAPP_CUSTOMISE_SETTINGS'],
    ownAccount: 'never',
  },
  target: { ids: deviceTarget.ids, find: deviceTarget.find },
  answers: { as: 'devicechange', status: 200 },
  event: null,
  refuses: ['DEVICE-4'],
})
