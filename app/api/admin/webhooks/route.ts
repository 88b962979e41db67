import { nameQuery } from '#lib/ground/http/paging'
import { createWebhook, webhookReferences } from '#lib/people/webhooks/webhook-changes.server'
import { webhookInput } from '#lib/people/webhooks/webhooks.schema'
import { listWebhooks } from '#lib/people/webhooks/webhooks.server'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

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
