import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Change, Creation, ReadContext, Referring } from '#lib/caller/auth/context.server'
import type { Trx } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { unlessTaken } from '#lib/db/unique.server'
import { decrypt, encrypt } from '#lib/ground/keys/keys.server'
import { requireDestination } from '#lib/people/webhooks/destination.server'
import type { WebhookDocument, WebhookInput } from '#lib/people/webhooks/webhooks.schema'
import { findWebhook, requireReach, type WebhookRow, webhookView } from '#lib/people/webhooks/webhooks.server'
import type { Note } from '#lib/record/events/operation.server'

/** Throws WEBHOOK-2. */
export const webhookReferences = async (_context: ReadContext, { url }: Partial<WebhookInput>) => {
  if (url !== undefined) requireDestination(url)
}

const columnsOf = ({ name, url, events, active }: WebhookInput) => ({
  name,
  name_key: fold(name),
  url,
  events: JSON.stringify(events),
  active: active ? 1 : 0,
})

export const webhookSecretContext = (id: number): string => `webhooks/${id}/secret`

export const secretOf = ({ id, secret }: { id: number; secret: string | null }): string =>
  decrypt(secret ?? '', webhookSecretContext(id))

/** Stores a new secret and returns it. The encryption binds the secret to the id. */
async function renewSecret(trx: Trx, id: number): Promise<string> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const sealed = encrypt(secret, webhookSecretContext(id))
  await trx.updateTable('webhooks').set({ secret: sealed }).where('id', '=', id).execute()
  return secret
}

const now = sql<number>`journal_moment()`

/** The route has refused other destinations. */
type Naming = Referring<typeof webhookReferences>

/** From now on, the webhook has the caller's visibility. */
export async function createWebhook({
  caller,
  db,
  body,
}: Creation<WebhookInput> & Naming): Promise<WebhookDocument> {
  await requireReach({ caller, db }, caller.id)
  const inserted = db
    .insertInto('webhooks')
    .values({ ...columnsOf(body), user_id: caller.id, since: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await unlessTaken('webhooks', 'WEBHOOK-1', inserted)
  const row = await findWebhook({ caller, db }, id)
  return webhookView(row, { reached: true, secret: await renewSecret(db, id) })
}

type Found = Change<WebhookRow>

/** Events while a webhook is inactive are not delivered. Pending deliveries wait until they expire. */
export async function updateWebhook({
  caller,
  db,
  found,
  body,
}: Change<WebhookRow, WebhookInput> & Naming): Promise<void> {
  await requireReach({ caller, db }, found.user_id)
  const begins = body.active && found.active === 0 && { since: now, failing_since: null }
  const changed = db
    .updateTable('webhooks')
    .set({ ...columnsOf(body), ...begins })
    .where('id', '=', found.id)
    .execute()
  await unlessTaken('webhooks', 'WEBHOOK-1', changed)
}

/** Replaces the secret. Every attempt from now on is signed with the new one. */
export async function rotateSecret({ caller, db, found, note }: Found & { note: Note }) {
  await requireReach({ caller, db }, found.user_id)
  note('secret', undefined, 'changed')
  return webhookView(found, { reached: true, secret: await renewSecret(db, found.id) })
}

export async function removeWebhook({ caller, db, found }: Found): Promise<void> {
  await requireReach({ caller, db }, found.user_id)
  await db.deleteFrom('webhook_deliveries').where('webhook_id', '=', found.id).execute()
  await db.deleteFrom('webhooks').where('id', '=', found.id).execute()
}
