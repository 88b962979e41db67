import { z } from 'zod'
import { coded, text } from '#lib/ground/http/input.schema'
import { pageQuery } from '#lib/ground/http/paging'
import { secret } from '#lib/ground/http/secrets'
import { links } from '#lib/ground/http/view'
import { entityTypes } from '#lib/record/events/events.schema'

/** Sends events to an address. The secret is in the responses that generate one, and nowhere else. */
export const webhookDocument = z.object({
  links,
  id: z.int(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  active: z.boolean(),
  /** The first failed attempt since the last success. */
  failingSince: z.iso.datetime({ precision: 3 }).optional(),
  ...secret('secret', z.string().optional()),
})
export type WebhookDocument = z.infer<typeof webhookDocument>

/** `scope.update`, `scope.*`, `*.delete`, or `*` for all events. */
const pattern = z.string().superRefine((value, context) => {
  const [, entity = '*'] = /^(?:\*|(\*|[a-z]+)\.(?:\*|[a-z0-9-]{1,64}))$/.exec(value) ?? [value, '']
  if (entity === '*' || entityTypes.some((name) => name === entity)) return
  const message = `must be like scope.update, scope.* or *.delete, with one of ${entityTypes.join(', ')}`
  context.addIssue({ code: 'custom', ...coded('CONSTR-PATTERN', message), input: value })
})

/** An empty text is too short rather than malformed. */
const isAddress = (value: string): boolean => {
  if (value === '') return true
  const url = URL.parse(value)
  return url !== null && url.hostname !== '' && url.username === '' && url.password === ''
}

/** Body of POST and PUT. */
export const webhookInput = z.object({
  name: text(1, 128),
  url: text(1, 2048).refine(
    isAddress,
    coded('CONSTR-PATTERN', 'must be an address such as https://example.com/path, without a password'),
  ),
  events: z
    .array(pattern)
    .min(1, 'must have an entry')
    .max(100, 'must have 100 entries at most')
    .transform((patterns) => [...new Set(patterns)]),
  active: z.boolean().default(true),
})
export type WebhookInput = z.infer<typeof webhookInput>

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

/** One event on its way to a webhook. The last attempt is in the single document alone. */
export const webhookDeliveryDocument = z.object({
  links,
  id: z.int(),
  /** Entity and action of the event. */
  event: z.string().optional(),
  status: z.enum(deliveryStatuses),
  tries: z.int(),
  created: z.iso.datetime({ precision: 3 }),
  /** The time of the next attempt. */
  next: z.iso.datetime({ precision: 3 }).optional(),
  /** The last attempt: its time, its length in milliseconds, and the status of the answer or the reason for its absence. */
  tried: z.iso.datetime({ precision: 3 }).optional(),
  duration: z.int().optional(),
  answerStatus: z.int().optional(),
  problem: z.string().optional(),
  /** The `webhook-id` of all attempts. */
  message: z.string().optional(),
  request: z.string().optional(),
  answer: z.string().optional(),
})
export type WebhookDeliveryDocument = z.infer<typeof webhookDeliveryDocument>

export const deliveryOrders = ['id'] as const

export const deliveryQuery = pageQuery(...deliveryOrders).extend({
  status: z.enum(deliveryStatuses, `status must be one of ${deliveryStatuses.join(', ')}`).optional(),
})
export type DeliveryQuery = z.infer<typeof deliveryQuery>
