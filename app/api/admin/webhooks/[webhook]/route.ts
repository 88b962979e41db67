import { removeWebhook, updateWebhook, webhookReferences } from '#lib/people/webhooks/webhook-changes.server'
import { webhookInput } from '#lib/people/webhooks/webhooks.schema'
import { webhookTarget } from '#lib/people/webhooks/webhooks.server'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a webhook',
  who: { anyOf: ['SYSCONFIG_VIEW'] },
  target: webhookTarget,
  answers: { as: 'webhook' },
})

export const PUT = writes(updateWebhook, {
  summary: 'Change a webhook',
  who: { anyOf: ['SYSCONFIG_ALLOW_MODIFY'], ownAccount: 'never' },
  target: webhookTarget,
  takes: { as: 'webhook', body: webhookInput, references: webhookReferences },
  answers: { as: 'webhook' },
  event: { entity: 'webhook', cannotUndo: 'its secret' },
  refuses: ['WEBHOOK-1', 'WEBHOOK-2', 'GEN-15'],
})

export const DELETE = writes(removeWebhook, {
  summary: 'Delete a webhook with its deliveries',
  who: { anyOf: ['SYSCONFIG_ALLOW_MODIFY'], ownAccount: 'never' },
  target: webhookTarget,
  event: { entity: 'webhook', cannotUndo: 'its secret' },
  refuses: ['GEN-15'],
})
