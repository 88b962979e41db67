import { rotateSecret } from '#lib/people/webhooks/webhook-changes.server'
import { webhookTarget } from '#lib/people/webhooks/webhooks.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(rotateSecret, {
  summary: 'Renew the secret of a webhook; the response shows the new one',
  who: { anyOf: ['SYSCONFIG_ALLOW_MODIFY'], ownAccount: 'never' },
  target: webhookTarget,
  answers: { as: 'webhook', status: 200 },
  event: { entity: 'webhook', action: 'rotate-secret', cannotUndo: 'keys' },
  refuses: ['GEN-15'],
})
