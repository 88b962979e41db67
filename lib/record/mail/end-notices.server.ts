import { sql } from 'kysely'
import { chunksOf } from '#lib/db/chunks'
import type { Db, Trx } from '#lib/db/db.server'
import { together } from '#lib/db/statements.server'
import type { EndingItem } from '#lib/record/mail/notices'
import { sendsMail } from '#lib/record/mail/outbox.server'

/* Mails a week and a day before a resource ends, to the user who set its end (docs/api/ends.md, "Ends"). */

const DAY = 24 * 60 * 60 * 1000
const BEFORE = [7 * DAY, DAY]

/** The next of the two moments; undefined after the second. */
const dueAfter = (now: number, endsAt: number): number | undefined =>
  BEFORE.map((time) => endsAt - time).find((due) => due > now)

export type EndNotice = { entity: EndingItem['entity']; entity_id: number; ends_at: number }

type End = { entity: string; id: number; endsAt: number | null; by: number }

/** Keeps who set a new end, and plans the mails about it. Every change of an end calls this. */
export async function noteEnd(trx: Trx, end: End): Promise<void> {
  const { entity, id, endsAt, by } = end
  await forgetMaker(trx, { entity, id })
  if (endsAt !== null)
    await trx.insertInto('end_makers').values({ entity, entity_id: id, user_id: by, refused: null }).execute()
  await planEndNotices(trx, end)
}

type Ended = { entity: string; id: number }

const forgetMaker = (trx: Trx, { entity, id }: Ended) =>
  trx.deleteFrom('end_makers').where('entity', '=', entity).where('entity_id', '=', id).execute()

/** Forgets who set the ends of these resources, which have none any more. */
export const forgetMakers = (trx: Trx, entity: string, ids: readonly number[]): Promise<unknown> =>
  trx.deleteFrom('end_makers').where('entity', '=', entity).where('entity_id', 'in', ids).execute()

export type EndMaker = { id: number; refused: string | null }

/** Who set these ends, by the ids of the resources. */
export async function endMakers(
  trx: Trx,
  entity: string,
  ids: readonly number[],
): Promise<Map<number, EndMaker>> {
  if (ids.length === 0) return new Map()
  const rows = await trx
    .selectFrom('end_makers')
    .where('entity', '=', entity)
    .where('entity_id', 'in', ids)
    .select(['entity_id', 'user_id', 'refused'])
    .execute()
  return new Map(rows.map(({ entity_id, user_id, refused }) => [entity_id, { id: user_id, refused }]))
}

/** Keeps why this end could not happen, also of one whose maker was never known. */
export const refuseEnd = (trx: Trx, { entity, id }: Ended, refused: string): Promise<unknown> =>
  trx
    .insertInto('end_makers')
    .values({ entity, entity_id: id, user_id: 0, refused })
    .onConflict((row) => row.columns(['entity', 'entity_id']).doUpdateSet({ refused }))
    .execute()

/**
 * The ends that a user has set become those of another one: without this they would be refused once the user has left. One that is refused
 * already stays so: it would happen at once, with privileges of the other user that the first one lacked.
 */
export async function passEnds(trx: Trx, { from, to }: { from: number; to: number }): Promise<void> {
  if (from === to) return
  await together(
    trx
      .updateTable('end_makers')
      .set({ user_id: to })
      .where('user_id', '=', from)
      .where('refused', 'is', null)
      .execute(),
    trx.updateTable('end_notices').set({ user_id: to }).where('user_id', '=', from).execute(),
  )
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

/** The day on which notices of a user are due, and the day of the ends that they are about: one mail. */
export type DueDay = { user_id: number; due_day: number; ends_day: number }

const dayOf = (column: 'due_at' | 'ends_at') => sql<number>`${sql.ref(column)} / ${sql.lit(DAY)}`

/** The days of which a notice is due. */
export async function dueEndDays(db: Db, now: number, most: number): Promise<DueDay[]> {
  const rows = await db
    .selectFrom('end_notices')
    .where('due_at', '<=', now)
    .select(['user_id', dayOf('due_at').as('due_day'), dayOf('ends_at').as('ends_day')])
    .groupBy(['user_id', dayOf('due_at'), dayOf('ends_at')])
    .limit(most)
    .execute()
  return rows.map(({ user_id, due_day, ends_day }) => ({
    user_id,
    due_day: Number(due_day),
    ends_day: Number(ends_day),
  }))
}

/** Takes all notices of a day, also those that are due later on it, and plans the next ones. None: another process was faster. */
export async function takeEndNotices(trx: Trx, day: DueDay, now: number): Promise<EndNotice[]> {
  const taken = await trx
    .deleteFrom('end_notices')
    .where('user_id', '=', day.user_id)
    .where('due_at', '>=', day.due_day * DAY)
    .where('due_at', '<', (day.due_day + 1) * DAY)
    .where(dayOf('ends_at'), '=', day.ends_day)
    .returning(['entity', 'entity_id', 'ends_at', 'due_at', 'user_id'])
    .execute()
  const planned = taken.flatMap((row) => {
    const due = sendsMail() ? dueAfter(Math.max(now, row.due_at), row.ends_at) : undefined
    return due === undefined ? [] : [{ ...row, due_at: due }]
  })
  for (const some of chunksOf(planned, 100)) await trx.insertInto('end_notices').values(some).execute()
  return taken.map(({ entity, entity_id, ends_at }) => ({
    entity: entity as EndingItem['entity'],
    entity_id,
    ends_at,
  }))
}
