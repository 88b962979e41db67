import { reads } from '#lib/pipeline/endpoint.server'
import { listDeliveries } from '#lib/webhooks/deliveries.server'
import { deliveryQuery } from '#lib/webhooks/webhooks.schema'
import { webhookTarget } from '#lib/webhooks/webhooks.server'

export const GET = reads(listDeliveries, {
  summary: 'List the deliveries of a webhook',
  who: { anyOf: ['SYSCONFIG_VIEW'] },
  target: webhookTarget,
  query: deliveryQuery,
  answers: { as: 'webhookdeliveries' },
})
