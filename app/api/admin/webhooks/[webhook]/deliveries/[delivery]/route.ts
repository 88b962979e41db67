import { shows } from '#lib/pipeline/endpoint.server'
import { deliveryTarget } from '#lib/webhooks/deliveries.server'

export const GET = shows({
  summary: 'Read a delivery with its last request and answer',
  who: { anyOf: ['SYSCONFIG_VIEW'] },
  target: deliveryTarget,
  answers: { as: 'webhookdelivery' },
})
