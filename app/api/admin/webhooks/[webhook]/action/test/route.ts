import { testWebhook } from '#lib/people/webhooks/deliveries.server'
import { webhookTarget } from '#lib/people/webhooks/webhooks.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(testWebhook, {
  summary: 'Send a test event to a webhook; the response shows the delivery',
  who: { anyOf: ['SYSCONFIG_ALLOW_MODIFY'], ownAccount: 'never' },
  target: webhookTarget,
  answers: { as: 'webhookdelivery', status: 200 },
  inSteps: true,
  event: null,
  refuses: ['GEN-15'],
})
