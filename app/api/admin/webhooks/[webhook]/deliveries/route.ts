import { listDeliveries } from '#lib/people/webhooks/deliveries.server'
import { deliveryQuery } from '#lib/people/webhooks/webhooks.schema'
import { webhookTarget } from '#lib/people/webhooks/webhooks.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listDeliveries, {
  summary: 'List the deliveries of a webhook',
  who: { anyOf: ['SYSCONFIG_VIEW'] },
  target: webhookTarget,
  query: deliveryQuery,
  answers: { as: 'webhookdeliveries' },
})
