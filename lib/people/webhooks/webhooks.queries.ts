import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { collectionOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { api } from '#lib/client/api'
import { keepSecret } from '#lib/client/new-secrets.queries'
import type { Once } from '#lib/client/once'
import {
  collectionQuery,
  ifMatch,
  invalidateBelow,
  type Query,
  resourceQuery,
  saveResource,
  type Tagged,
} from '#lib/client/resources.queries'
import type {
  WebhookDeliveryDocument,
  WebhookDocument,
  WebhookInput,
} from '#lib/people/webhooks/webhooks.schema'

const webhooksPath = `/api${collectionOf(kinds.webhook)}`

const webhookPath = (id: number): string => `${webhooksPath}/${id}`

const deliveriesPath = (id: number): string => `${webhookPath(id)}/deliveries`

export const webhooksQuery = (query?: Query) => collectionQuery<WebhookDocument>(webhooksPath, query)

export const webhookQuery = (id: number) => resourceQuery<WebhookDocument>(webhookPath(id))

export const deliveriesQuery = (id: number, query?: Query) => ({
  ...collectionQuery<WebhookDeliveryDocument>(deliveriesPath(id), query),
  // They change without the user.
  staleTime: 0,
})

/** A delivery with its last request and answer. */
export const deliveryQuery = (webhook: number, delivery: number) =>
  resourceQuery<WebhookDeliveryDocument>(`${deliveriesPath(webhook)}/${delivery}`)

const changed = (client: QueryClient, gone?: string): Promise<void> =>
  invalidateBelow(client, [webhooksPath], gone)

/** Creates a webhook, or replaces `current`. */
export const saveWebhook = (once: Once) =>
  mutationOptions({
    mutationFn: ({ body, current }: { body: WebhookInput; current?: Tagged<WebhookDocument> }) =>
      saveResource<WebhookDocument>(webhooksPath, { body, current }, once),
    onSuccess: (made, _sent, _result, { client }) => {
      keepSecret(client, 'webhook', made.id, made.secret)
      return changed(client)
    },
  })

export const rotateWebhookSecret = (id: number) =>
  mutationOptions({
    mutationFn: () =>
      api<WebhookDocument>(`${webhookPath(id)}/action/rotatesecret`, { method: 'POST', once: false }),
    onSuccess: (made, _none, _result, { client }) => {
      keepSecret(client, 'webhook', made.id, made.secret)
      return changed(client)
    },
  })

export const testWebhook = (id: number, once: Once) =>
  mutationOptions({
    mutationFn: () =>
      api<WebhookDeliveryDocument>(`${webhookPath(id)}/action/test`, { method: 'POST', once }),
    onSuccess: (_delivery, _none, _result, { client }) => changed(client),
  })

export const removeWebhook = () =>
  mutationOptions({
    mutationFn: ({ document, etag }: Tagged<WebhookDocument>) =>
      api<void>(webhookPath(document.id), { method: 'DELETE', headers: ifMatch(etag) }),
    onSuccess: (_gone, { document }, _result, { client }) => changed(client, webhookPath(document.id)),
  })
