import type { Db, Trx } from '#lib/db/db.server'
import { sendsMail } from '#lib/record/mail/outbox.server'

/* Mails a week and a day before a resource ends, to the user who set its end (docs/api.md, "Ends"). */

const DAY = 24 * 60 * 60 * 1000
const BEFORE = [7 * DAY, DAY]

/** The next of the two moments; undefined after the second. */
const dueAfter = (now: number, endsAt: number): number | undefined =>
  BEFORE.map((time) => endsAt - time).find((due) => due > now)

export type EndNotice = { entity: string; entity_id: number; ends_at: number; user_id: number }

type End = { entity: string; id: number; endsAt: number | null; by: number }

/** Keeps who set a new end, and plans the mails about it. Every change of an end calls this. */
export async function noteEnd(trx: Trx, end: End): Promise<void> {
  const { entity, id, endsAt, by } = end
  await forgetMaker(trx, { entity, id })
  if (endsAt !== null)
    await trx.insertInto('end_makers').values({ entity, entity_id: id, user_id: by }).execute()
  await planEndNotices(trx, end)
}

type Ended = { entity: string; id: number }

const forgetMaker = (trx: Trx, { entity, id }: Ended) =>
  trx.deleteFrom('end_makers').where('entity', '=', entity).where('entity_id', '=', id).execute()

/** Forgets who set the end, and returns the id of that user. */
export async function takeEndMaker(trx: Trx, { entity, id }: Ended): Promise<number | undefined> {
  const row = await trx
    .deleteFrom('end_makers')
    .where('entity', '=', entity)
    .where('entity_id', '=', id)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}

/** Plans the mails about a new end, if there is a mail server. Mails about the former one are not sent. */
async function planEndNotices(trx: Trx, { endsAt, ...of }: End, now = Date.now()): Promise<void> {
  await trx.deleteFrom('end_notices').where('entity', '=', of.entity).where('entity_id', '=', of.id).execute()
  const due = endsAt === null || !sendsMail() ? undefined : dueAfter(now, endsAt)
  if (endsAt === null || due === undefined) return
  await trx
    .insertInto('end_notices')
    .values({ entity: of.entity, entity_id: of.id, ends_at: endsAt, due_at: due, user_id: of.by })
    .execute()
}

const columns = ['entity', 'entity_id', 'ends_at', 'user_id', 'due_at'] as const

export const dueEndNotices = (db: Db, now: number, most: number) =>
  db
    .selectFrom('end_notices')
    .where('due_at', '<=', now)
    .select(columns)
    .orderBy('due_at')
    .limit(most)
    .execute()

/** Takes a notice that is due, and plans the next one. False: another process was faster. */
export async function takeEndNotice(
  trx: Trx,
  notice: EndNotice & { due_at: number },
  now: number,
): Promise<boolean> {
  const taken = await trx
    .deleteFrom('end_notices')
    .where('entity', '=', notice.entity)
    .where('entity_id', '=', notice.entity_id)
    .where('ends_at', '=', notice.ends_at)
    .where('due_at', '=', notice.due_at)
    .returning('user_id')
    .executeTakeFirst()
  if (!taken) return false
  const { entity, entity_id: id, ends_at: endsAt, user_id: by } = notice
  await planEndNotices(trx, { entity, id, endsAt, by }, now)
  return true
}
