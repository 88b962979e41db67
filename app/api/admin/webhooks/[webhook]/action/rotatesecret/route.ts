import { writes } from '#lib/pipeline/endpoint.server'
import { rotateSecret } from '#lib/webhooks/webhook-changes.server'
import { webhookTarget } from '#lib/webhooks/webhooks.server'

export const POST = writes(rotateSecret, {
  summary: 'Renew the secret of a webhook; the response shows the new one',
  who: { anyOf: ['SYSCONFIG_ALLOW_MODIFY'], ownAccount: 'never' },
  target: webhookTarget,
  answers: { as: 'webhook', status: 200 },
  event: { entity: 'webhook', action: 'rotate-secret', cannotUndo: 'keys' },
  refuses: ['GEN-15'],
})
