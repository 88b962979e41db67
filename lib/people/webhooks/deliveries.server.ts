import type { Listed, ReadContext } from '#lib/caller/auth/context.server'
import { can } from '#lib/caller/auth/privileges'
import { type Db, transaction } from '#lib/db/db.server'
import { list } from '#lib/db/list.server'
import { insertRow } from '#lib/db/unique.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import type { Listing } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'
import { newDelivery, sendTest } from '#lib/people/webhooks/transport.server'
import type { DeliveryQuery, WebhookDeliveryDocument } from '#lib/people/webhooks/webhooks.schema'
import {
  findWebhook,
  reachesCreator,
  requireReach,
  type WebhookRow,
  webhookPath,
} from '#lib/people/webhooks/webhooks.server'
import { eventTarget } from '#lib/record/events/event-target.server'
import { insertEvent } from '#lib/record/events/record.server'
import { viewerOf, visibleEvents } from '#lib/record/events/sight.server'

const MINUTE = 60_000

/** The deliveries of one webhook, limited to events that the caller sees. */
const deliveries = ({ caller, db }: ReadContext, webhook: number) =>
  db
    .selectFrom('webhook_deliveries')
    .innerJoin('events', 'events.id', 'webhook_deliveries.event_id')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .where('webhook_deliveries.webhook_id', '=', webhook)
    .where('webhook_deliveries.event_id', 'in', visibleEvents(db, viewerOf(caller)).select('events.id'))
    .select([
      'webhook_deliveries.id',
      'webhook_deliveries.webhook_id',
      'webhook_deliveries.event_id',
      'webhook_deliveries.status',
      'webhook_deliveries.attempts',
      'webhook_deliveries.created_at',
      'webhook_deliveries.due_at',
      'webhook_deliveries.attempted_at',
      'webhook_deliveries.duration',
      'webhook_deliveries.answer_status',
      'webhook_deliveries.problem',
      'events.entity_type',
      'events.action',
      'events.entity_name',
      'webhooks.user_id as creator_id',
    ])

type DeliveryRow = Awaited<ReturnType<ReturnType<typeof deliveries>['execute']>>[number]

const moment = (time: number): string => new Date(time).toISOString()

/** The event is named for callers who may read events. */
function deliveryView(row: DeliveryRow, { caller }: Pick<ReadContext, 'caller'>): WebhookDeliveryDocument {
  const path = webhookPath(row.webhook_id)
  const readsEvents = can(caller, ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL'])
  return {
    links: [
      link('self', `${path}/deliveries/${row.id}`, 'webhookdelivery'),
      link('webhook', path, 'webhook'),
      ...(readsEvents ? [link('event', `/events/${row.event_id}`, 'event', row.entity_name)] : []),
    ],
    id: row.id,
    ...(readsEvents && { event: `${row.entity_type}.${row.action}` }),
    status: row.status,
    tries: row.attempts,
    created: moment(row.created_at),
    ...(row.due_at !== null && { next: moment(row.due_at) }),
    ...(row.attempted_at !== null && { tried: moment(row.attempted_at) }),
    ...(row.duration !== null && { duration: row.duration }),
    ...(row.answer_status !== null && { answerStatus: row.answer_status }),
    ...(row.problem !== null && { problem: row.problem }),
  }
}

export const listDeliveries = ({
  caller,
  found: { id },
  query: paging,
}: Listed<WebhookRow, DeliveryQuery>): Promise<Listing> =>
  list({
    from: (db: Db) =>
      deliveries({ caller, db }, id).$if(paging.status !== undefined, (rows) =>
        rows.where('webhook_deliveries.status', '=', paging.status ?? 'pending'),
      ),
    orders: { id: [] },
    id: 'webhook_deliveries.id',
    paging,
    scans: true,
    views: (rows) => rows.map((row) => deliveryView(row, { caller })),
    path: `${webhookPath(id)}/deliveries`,
  })

type DeliveryPath = { webhook: number; delivery: number }

/** A delivery whose event the caller sees. Throws WEBHOOK-0, WEBHOOKDELIVERY-0. */
async function findDelivery(context: ReadContext, { webhook, delivery }: DeliveryPath) {
  await findWebhook(context, webhook)
  return deliveries(context, webhook)
    .where('webhook_deliveries.id', '=', delivery)
    .select(['webhook_deliveries.message', 'webhook_deliveries.request', 'webhook_deliveries.answer'])
    .executeTakeFirstOrThrow(() => new ApiError('WEBHOOKDELIVERY-0'))
}

type FoundDelivery = Awaited<ReturnType<typeof findDelivery>>

/**
 * The request shows the event with the visibility of the webhook's creator, so only callers with at least that visibility see the request
 * and the response.
 */
async function wholeView(row: FoundDelivery, context: ReadContext): Promise<WebhookDeliveryDocument> {
  const { message, request, answer, creator_id } = row
  const seesAll = await reachesCreator(context, creator_id)
  return {
    ...deliveryView(row, context),
    message,
    ...(seesAll && request !== null && { request }),
    ...(seesAll && answer !== null && { answer }),
  }
}

export const deliveryTarget = {
  ids: { webhook: 'WEBHOOK-0', delivery: 'WEBHOOKDELIVERY-0' },
  find: findDelivery,
  seenBy: async (context: ReadContext, path: DeliveryPath) => {
    const { event_id: event } = await findDelivery(context, path)
    return eventTarget.seenBy(context, { event })
  },
  view: wholeView,
} as const

/** Sends an event of its own now, and answers with its delivery. */
export async function testWebhook({
  caller,
  db,
  found,
  request,
}: ReadContext & { found: WebhookRow; request: Exchange }): Promise<WebhookDeliveryDocument> {
  await requireReach({ caller, db }, found.user_id)
  const entity = { type: 'webhook', id: found.id, name: found.name, path: webhookPath(found.id) } as const
  const delivery = await transaction(async (trx) => {
    const event = await insertEvent(trx, { request, action: 'test', by: caller, entity })
    // No other process sends it.
    const until = Date.now() + MINUTE
    return insertRow(trx, 'webhook_deliveries', newDelivery(found.id, event, { due: until, expires: until }))
  })
  await sendTest(delivery)
  const context = { caller, db }
  return wholeView(await findDelivery(context, { webhook: found.id, delivery }), context)
}
