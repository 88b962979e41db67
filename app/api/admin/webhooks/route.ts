import { nameQuery } from '#lib/http/paging'
import { reads, writes } from '#lib/pipeline/endpoint.server'
import { createWebhook, webhookReferences } from '#lib/webhooks/webhook-changes.server'
import { webhookInput } from '#lib/webhooks/webhooks.schema'
import { listWebhooks } from '#lib/webhooks/webhooks.server'

export const GET = reads(listWebhooks, {
  summary: 'List the webhooks',
  who: { anyOf: ['SYSCONFIG_VIEW'] },
  query: nameQuery,
  answers: { as: 'webhooks' },
})

export const POST = writes(createWebhook, {
  summary: 'Create a webhook; the response shows its secret',
  who: { anyOf: ['SYSCONFIG_ALLOW_MODIFY'], ownAccount: 'never' },
  takes: { as: 'webhook', body: webhookInput, references: webhookReferences },
  answers: { as: 'webhook' },
  event: { entity: 'webhook', cannotUndo: 'its secret' },
  refuses: ['WEBHOOK-1', 'WEBHOOK-2', 'GEN-15'],
})
