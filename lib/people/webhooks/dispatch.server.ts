import { can } from '#lib/caller/auth/privileges'
import { chunksOf } from '#lib/db/chunks'
import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import { inRounds } from '#lib/ground/rounds.server'
import { presentMaker } from '#lib/people/access-tokens/maker.server'
import { newDelivery, PATIENCE } from '#lib/people/webhooks/transport.server'
import type { Position } from '#lib/record/events/commit-order.server'
import { eventsAfter } from '#lib/record/events/feed.server'
import { viewerOf, visibleEvents } from '#lib/record/events/sight.server'

/*
 * Hands events to the webhooks, in the order of commit. The deliveries and the place up to which events are handed out change in one
 * transaction, so that no event is left out or handed out twice, whichever process does it and whenever it dies.
 */

/** The events that are read at a time. */
const BATCH = 500
/** Longer than any transaction, in microseconds. */
const MARGIN = 60 * 60 * 1_000_000

const textOf = ({ transaction, event }: Position): string => `${transaction}.${event}`

function positionIn(text: string): Position {
  const [transaction = 0, event = 0] = text.split('.').map(Number)
  return { transaction, event }
}

type FeedEvent = Awaited<ReturnType<typeof eventsAfter>>[number]

/** A place in the feed before everything that happened since this moment. */
async function placeBefore(db: Db, moment: number): Promise<Position> {
  const last = await db
    .selectFrom('events')
    .where(({ eb, or }) => or([eb('moment', '<', moment - MARGIN), eb('moment', 'is', null)]))
    .select(['id', 'transaction_number'])
    .orderBy('moment', (order) => order.desc().nullsLast())
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { transaction: last?.transaction_number ?? -1, event: last?.id ?? 0 }
}

const activeWebhooks = (db: Db) =>
  db.selectFrom('webhooks').where('active', '=', 1).select(['id', 'user_id', 'since', 'events']).execute()

type Webhook = Awaited<ReturnType<typeof activeWebhooks>>[number]

/** `scope.*` matches `scope.update`. */
const matches = (pattern: string, entity: string, action: string): boolean => {
  const [ofEntity = '', ofAction = '*'] = pattern.split('.')
  return ['*', entity].includes(ofEntity) && ['*', action].includes(ofAction)
}

type Pair = { webhook: number; event: number }

/** The events that the webhook wants, and its creator may see now. */
async function wantedBy(db: Db, webhook: Webhook, events: readonly FeedEvent[]): Promise<Pair[]> {
  const patterns = JSON.parse(webhook.events) as string[]
  const wanted = events.filter(
    ({ moment, entity_type, action }) =>
      moment !== null &&
      moment > webhook.since &&
      patterns.some((pattern) => matches(pattern, entity_type, action)),
  )
  const caller = wanted.length > 0 ? await presentMaker({ user: webhook.user_id }) : undefined
  if (!caller || !can(caller, ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL'])) return []
  const ids = wanted.map(({ id }) => id)
  const seen = await visibleEvents(db, viewerOf(caller))
    .where('events.id', 'in', ids)
    .select('events.id')
    .execute()
  const visible = new Set(seen.map(({ id }) => id))
  return ids.filter((id) => visible.has(id)).map((event) => ({ webhook: webhook.id, event }))
}

const storedPosition = async (db: Db): Promise<string | undefined> =>
  (await db.selectFrom('webhook_cursor').select('position').executeTakeFirst())?.position

/** Queues the deliveries and moves on. False if another process was faster. */
async function advance(
  trx: Trx,
  { from, to, pairs }: { from: string | undefined; to: string; pairs: Pair[] },
): Promise<boolean> {
  if ((await storedPosition(trx)) !== from) return false
  const now = Date.now()
  for (const some of chunksOf(pairs, BATCH))
    await trx
      .insertInto('webhook_deliveries')
      .values(
        some.map(({ webhook, event }) => newDelivery(webhook, event, { due: now, expires: now + PATIENCE })),
      )
      .onConflict((conflict) => conflict.columns(['webhook_id', 'event_id']).doNothing())
      .execute()
  if (from === undefined) await trx.insertInto('webhook_cursor').values({ position: to }).execute()
  else await trx.updateTable('webhook_cursor').set({ position: to }).execute()
  return true
}

/** Without a webhook nothing is read, and the place in the feed is forgotten. Returns whether there may be more. */
async function dispatchSome(): Promise<boolean> {
  const db = database().read
  const from = await storedPosition(db)
  const before = await activeWebhooks(db)
  if (before.length === 0) {
    if (from !== undefined) await transaction((trx) => trx.deleteFrom('webhook_cursor').execute())
    return false
  }
  const place =
    from === undefined
      ? await placeBefore(db, Math.min(...before.map(({ since }) => since)))
      : positionIn(from)
  const events = await eventsAfter(db, place, BATCH)
  const last = events.at(-1)
  if (!last) return false
  // Read after the events, so that no webhook misses an event that follows its creation.
  const webhooks = await activeWebhooks(db)
  const pairs = await Promise.all(webhooks.map((webhook) => wantedBy(db, webhook, events)))
  const to = textOf(last.position)
  return (
    (await transaction((trx) => advance(trx, { from, to, pairs: pairs.flat() }))) && events.length === BATCH
  )
}

/** Hands out everything that was committed. */
export async function dispatch(): Promise<void> {
  while (await dispatchSome());
}

export const keepDispatching = (): NodeJS.Timeout =>
  inRounds(1000, 'the events could not be handed to webhooks', dispatch)
