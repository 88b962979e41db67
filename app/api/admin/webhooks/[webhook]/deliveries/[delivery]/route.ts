import { deliveryTarget } from '#lib/people/webhooks/deliveries.server'
import { shows } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a delivery with its last request and answer',
  who: { anyOf: ['SYSCONFIG_VIEW'] },
  target: deliveryTarget,
  answers: { as: 'webhookdelivery' },
})
