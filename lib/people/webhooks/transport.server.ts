import { randomUUID } from 'node:crypto'
import { can } from '#lib/caller/auth/privileges'
import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import { ApiError } from '#lib/ground/http/errors'
import { siteAddress } from '#lib/ground/http/origin.server'
import { renderDocument } from '#lib/ground/http/render.server'
import { presentMaker } from '#lib/people/access-tokens/maker.server'
import { type Answer, post, problemOf } from '#lib/people/webhooks/post.server'
import { problems } from '#lib/people/webhooks/problems'
import { secretOf } from '#lib/people/webhooks/webhook-changes.server'
import { webhookPath } from '#lib/people/webhooks/webhooks.server'
import { readEvent } from '#lib/record/events/events.server'
import { insertEvent } from '#lib/record/events/record.server'
import { notify } from '#lib/record/mail/outbox.server'
import { outbox } from '#lib/record/outbox/outbox.server'

/* Deliveries by the outbox: one event to one webhook. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Between the first attempts; then every four hours, until the delivery expires. */
const waits = [5000, 30_000, 2 * MINUTE, 10 * MINUTE, HOUR]
const LATER = 4 * HOUR
export const PATIENCE = 24 * HOUR
/** Deliveries are shown for so long after they expire. */
const KEPT = 6 * 24 * HOUR
/** A webhook without a success for this time becomes inactive. */
const FAILING = 3 * 24 * HOUR

/** Attempts at a time in this process. Each may take ten seconds, so neither a user nor a webhook may take all places. */
const AT_ONCE = 128
const OF_USER = 16
const OF_WEBHOOK = 4
/** Webhooks whose last attempt failed have one attempt at a time, and together half of their user's places. */
const OF_FAILING = OF_USER / 2

const deliveries = (db: Db) =>
  db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select([
      'webhook_deliveries.id',
      'webhook_deliveries.webhook_id',
      'webhook_deliveries.event_id',
      'webhook_deliveries.message',
      'webhook_deliveries.attempts',
      'webhook_deliveries.expires_at',
      'webhooks.name',
      'webhooks.url',
      'webhooks.secret',
      'webhooks.user_id',
      'webhooks.failing_since',
    ])

type Delivery = Awaited<ReturnType<ReturnType<typeof deliveries>['execute']>>[number]

/** A delivery that is sent. A test is sent once. */
type Sending = Delivery & { isTest?: true }

type Limits = { now: number; most: number; underWay: readonly Delivery[] }

/** The oldest due deliveries of each active webhook, as many as its share. */
async function due(db: Db, { now, most, underWay }: Limits): Promise<Delivery[]> {
  const waiting = await db
    .selectFrom('webhooks')
    .where('active', '=', 1)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhook_deliveries')
          .whereRef('webhook_id', '=', 'webhooks.id')
          .where('due_at', '<=', now)
          .select('id'),
      ),
    )
    .select(['id as webhook_id', 'user_id', 'failing_since'])
    .orderBy('id')
    .execute()
  const found: Delivery[] = []
  for (const [id, share] of sharesOf(waiting, { most, underWay })) {
    const rows = await deliveries(db)
      .where('webhook_deliveries.webhook_id', '=', id)
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .orderBy('webhook_deliveries.id')
      .limit(share)
      .execute()
    found.push(...rows)
  }
  return found
}

type Waiting = Pick<Delivery, 'webhook_id' | 'user_id' | 'failing_since'>

/**
 * The number of attempts that each webhook may begin. Each free place goes to the user with the fewest attempts under way, and there to
 * the webhook with the fewest.
 */
function sharesOf(waiting: readonly Waiting[], { most, underWay }: Omit<Limits, 'now'>): Map<number, number> {
  const ofUser = new Map<number, number>()
  const failingOfUser = new Map<number, number>()
  const ofWebhook = new Map<number, number>()
  const shares = new Map<number, number>()
  const of = (counts: Map<number, number>, id: number): number => counts.get(id) ?? 0
  const count = (counts: Map<number, number>, id: number) => counts.set(id, of(counts, id) + 1)
  const isFailing = ({ failing_since }: Waiting) => failing_since !== null
  const occupy = (webhook: Waiting): void => {
    count(ofUser, webhook.user_id)
    count(ofWebhook, webhook.webhook_id)
    if (isFailing(webhook)) count(failingOfUser, webhook.user_id)
  }
  const hasPlace = (webhook: Waiting): boolean =>
    of(ofUser, webhook.user_id) < OF_USER &&
    of(ofWebhook, webhook.webhook_id) < (isFailing(webhook) ? 1 : OF_WEBHOOK) &&
    !(isFailing(webhook) && of(failingOfUser, webhook.user_id) >= OF_FAILING)
  /** The user's attempts count first, then the webhook's. */
  const load = ({ user_id, webhook_id }: Waiting): number =>
    of(ofUser, user_id) * (AT_ONCE + 1) + of(ofWebhook, webhook_id)
  for (const webhook of underWay) occupy(webhook)
  for (let free = most; free > 0; free -= 1) {
    let next: Waiting | undefined
    for (const webhook of waiting)
      if (hasPlace(webhook) && (!next || load(webhook) < load(next))) next = webhook
    if (!next) break
    occupy(next)
    count(shares, next.webhook_id)
  }
  return shares
}

type Attempt = { request?: string; answer?: Answer; duration?: number }

/** The receiver did not accept the message. */
class DeliveryFailure extends Error {
  readonly attempt: Attempt

  constructor(message: string, attempt: Attempt) {
    super(message)
    this.attempt = attempt
  }
}

/** The creator may not see the event, so that nothing was sent, and another attempt is useless. */
class NothingToSend extends Error {}

/** The body: the event as the creator of the webhook may see it now. Throws NothingToSend if they may not. */
async function bodyOf({ user_id, event_id }: Delivery): Promise<string> {
  const caller = await presentMaker({ user: user_id })
  if (!caller) throw new NothingToSend(problems.noCreator)
  if (!can(caller, ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL']))
    throw new NothingToSend(problems.noEvents)
  const event = await readEvent({ caller, db: database().read, params: { event: event_id } }).catch(
    (error) => {
      throw error instanceof ApiError ? new NothingToSend(problems.noSight) : error
    },
  )
  const type = `${event.entityType}.${event.action}`
  const body = { type, timestamp: event.timestamp, data: event }
  return renderDocument(body, { name: 'event', syntax: 'json', base: siteAddress() })
}

/** Sends one delivery. Throws DeliveryFailure unless the receiver answers 2xx. */
async function deliver(delivery: Delivery): Promise<(trx: Trx) => Promise<unknown>> {
  const request = await bodyOf(delivery)
  const { message: id, webhook_id, secret } = delivery
  const began = Date.now()
  const duration = () => Date.now() - began
  const message = { id, body: request, secret: secretOf({ id: webhook_id, secret }) }
  const answer = await post(delivery.url, message).catch((error) => {
    throw new DeliveryFailure(problemOf(error), { request, duration: duration() })
  })
  const attempt = { request, answer, duration: duration() }
  if (answer.status < 200 || answer.status > 299)
    throw new DeliveryFailure(`The receiver answered ${answer.status}`, attempt)
  return (trx) => delivered(trx, delivery, attempt)
}

const columnsOf = ({ request, answer, duration }: Attempt) => ({
  attempted_at: Date.now(),
  request: request ?? null,
  answer_status: answer?.status ?? null,
  answer: answer?.text ?? null,
  duration: duration ?? null,
})

async function delivered(trx: Trx, { id, webhook_id, attempts }: Delivery, attempt: Attempt): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ ...columnsOf(attempt), status: 'delivered', attempts: attempts + 1, due_at: null, problem: null })
    .where('id', '=', id)
    .execute()
  await trx
    .updateTable('webhooks')
    .set({ failing_since: null })
    .where('id', '=', webhook_id)
    .where('failing_since', 'is not', null)
    .execute()
}

/** Records a failed attempt, and when the next one is. A test has one attempt, and does not count against the webhook. */
async function noteFailure(trx: Trx, delivery: Sending, error: unknown): Promise<void> {
  const { id, attempts, expires_at, isTest } = delivery
  const next = Date.now() + (waits[attempts] ?? LATER)
  const isRetried = !isTest && !(error instanceof NothingToSend) && next <= expires_at
  const problem = problemOf(error)
  await trx
    .updateTable('webhook_deliveries')
    .set({
      ...columnsOf(error instanceof DeliveryFailure ? error.attempt : {}),
      attempts: error instanceof NothingToSend ? attempts : attempts + 1,
      status: isRetried ? 'pending' : 'failed',
      due_at: isRetried ? next : null,
      problem,
    })
    .where('id', '=', id)
    .execute()
  if (!isTest && error instanceof DeliveryFailure) await noteFailing(trx, delivery, problem)
}

/** Stops the webhook after three days without a success, with an event and a mail to its creator. */
async function noteFailing(
  trx: Trx,
  { webhook_id: id, name, user_id }: Delivery,
  problem: string,
): Promise<void> {
  const now = Date.now()
  const webhook = await trx
    .selectFrom('webhooks')
    .where('id', '=', id)
    .select(['active', 'failing_since'])
    .executeTakeFirst()
  if (!webhook || webhook.active === 0) return
  const since = webhook.failing_since ?? now
  const isOver = since <= now - FAILING
  if (webhook.failing_since !== null && !isOver) return
  await trx
    .updateTable('webhooks')
    .set({ failing_since: since, active: isOver ? 0 : 1 })
    .where('id', '=', id)
    .execute()
  if (!isOver) return
  const entity = { type: 'webhook', id, name, path: webhookPath(id) } as const
  const changes = { active: { before: 'true', after: 'false' } }
  await insertEvent(trx, { action: 'stop', changes, by: undefined, entity })
  await notify(trx, user_id, { kind: 'webhook-stopped', name, problem })
}

const expire = (trx: Trx, { id }: Delivery) =>
  trx.updateTable('webhook_deliveries').set({ status: 'failed', due_at: null }).where('id', '=', id).execute()

export const webhookOutbox = outbox<Delivery>({
  table: 'webhook_deliveries',
  atOnce: AT_ONCE,
  isOn: () => true,
  due,
  send: deliver,
  failed: noteFailure,
  expired: expire,
})

type Times = { due: number; expires: number }

/** The row of a new delivery. */
export const newDelivery = (webhook: number, event: number, { due: due_at, expires: expires_at }: Times) => ({
  webhook_id: webhook,
  event_id: event,
  message: `msg_${randomUUID()}`,
  status: 'pending' as const,
  attempts: 0,
  created_at: Date.now(),
  due_at,
  expires_at,
})

/** Sends a test now, whether or not the webhook is active. */
export async function sendTest(id: number): Promise<void> {
  const found = await deliveries(database().read)
    .where('webhook_deliveries.id', '=', id)
    .executeTakeFirstOrThrow()
  const test: Sending = { ...found, isTest: true }
  const record = await deliver(test).catch((error) => (trx: Trx) => noteFailure(trx, test, error))
  await transaction(record)
}

/** Fails the deliveries of inactive webhooks whose time is over, and removes old ones. */
export async function removeOldDeliveries(): Promise<void> {
  const now = Date.now()
  await transaction(async (trx) => {
    await trx
      .updateTable('webhook_deliveries')
      .set({ status: 'failed', due_at: null })
      .where('due_at', 'is not', null)
      .where('expires_at', '<', now)
      .execute()
    await trx
      .deleteFrom('webhook_deliveries')
      .where('expires_at', '<', now - KEPT)
      .execute()
  })
}
