import { deviceTarget } from '#lib/cloud/infrastructure/devices.server'
import { report, stateView } from '#lib/cloud/translations/states.server'
import { deviceStateInput } from '#lib/cloud/translations/translations.schema'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

const target = { ...deviceTarget, view: stateView }

export const GET = shows({
  summary: 'Read what the gateway of a device reported',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS', 'MANAGE_DEVICES'] },
  target,
  answers: { as: 'devicestate' },
})

export const PUT = writes(report, {
  summary: 'Report the state of a device, as its gateway',
  who: { anyOf: ['MANAGE_DEVICES'], ownAccount: 'never' },
  target,
  takes: { as: 'devicestate', body: deviceStateInput },
  answers: { as: 'devicestate' },
  event: null,
})
