import { deviceTarget } from '#lib/cloud/infrastructure/devices.server'
import { deviceChangeInput } from '#lib/cloud/translations/translations.schema'
import { beginChange } from '#lib/cloud/translations/unconfirmed.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(beginChange, {
  summary: 'Begin changes of a device that go back unless they are confirmed',
  who: {
    anyOf: ['MANAGE_DEVICES', 'PHYS_DC_ALLOW_MODIFY_NETWORK'],
    // The undone changes are NAT rules, which the operations of a machine's rules restore.
    alsoAnyOf: ['VAPP_CUSTOMISE_SETTINGS'],
    ownAccount: 'never',
  },
  target: { ids: deviceTarget.ids, find: deviceTarget.find },
  takes: { as: 'devicechange', body: deviceChangeInput },
  answers: { as: 'devicechange', status: 200 },
  event: null,
  refuses: ['DEVICE-3'],
})
