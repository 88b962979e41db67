import { sql } from 'kysely'
import { type Db, database } from '#lib/db/db.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import { isAfter, isSettled, type Position } from '#lib/record/events/commit-order.server'

/* The feed: events in the order of commit, and cursors in it. */

export const cursorOf = ({ transaction, event }: Position): string =>
  Buffer.from(`${transaction}.${event}`).toString('base64url')

/** `parameter`: the query parameter that has it. Throws GEN-22. */
export function readCursor(text: string, parameter?: string): Position {
  const [, transaction, event] =
    /^(-1|0|[1-9]\d{0,14})\.(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? []
  const position = { transaction: Number(transaction), event: Number(event) }
  if (transaction === undefined || cursorOf(position) !== text)
    throw new ApiError(fault('GEN-22', 'The cursor of the feed is not valid', parameter))
  return position
}

export const isBehind = (one: Position, other: Position): boolean =>
  one.transaction < other.transaction || (one.transaction === other.transaction && one.event < other.event)

/** The next events of all users. No event can appear before them any more. */
export async function eventsAfter(db: Db, after: Position, most: number) {
  const { engine } = database()
  const rows = await db
    .selectFrom('events')
    .where(isAfter(engine, after))
    .where(isSettled(engine))
    .select(['id', 'transaction_number', 'moment', 'entity_type', 'action'])
    .$if(engine === 'postgres', (events) => events.orderBy('transaction_number'))
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.map(({ transaction_number: transaction, ...row }) => ({
    ...row,
    position: { transaction, event: row.id },
  }))
}

/** The place after all events whose order is final. */
export async function endOfFeed(db: Db): Promise<Position> {
  const { engine } = database()
  const last = await db
    .selectFrom('events')
    .where(isSettled(engine))
    .select(['transaction_number', 'id'])
    .$if(engine === 'postgres', (events) => events.orderBy('transaction_number', 'desc'))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { transaction: last?.transaction_number ?? -1, event: last?.id ?? 0 }
}

/**
 * Throws EVENT-2 if retention removed events after this place, or if the place is in the future: then an older backup was restored, and
 * its new events would be taken for known ones.
 */
export async function requireKept(db: Db, place: Position): Promise<void> {
  const removed = await db
    .selectFrom('event_seals')
    .innerJoin('seal_progress', 'seal_progress.removed_seals', 'event_seals.number')
    .select(['last_transaction as transaction', 'last_event as event'])
    .executeTakeFirst()
  if ((removed && isBehind(place, removed)) || (await isInFuture(db, place))) throw new ApiError('EVENT-2')
}

async function isInFuture(db: Db, { transaction, event }: Position): Promise<boolean> {
  const next =
    database().engine === 'postgres'
      ? sql<{
          number: number
        }>`select pg_snapshot_xmax(pg_current_snapshot())::text::bigint + number as number
          from transaction_base`
      : sql<{ number: number }>`select seq + 1 as number from sqlite_sequence where name = 'events'`
  const { rows } = await next.execute(db)
  const number = database().engine === 'postgres' ? transaction : event
  return number >= (rows[0]?.number ?? 1) && number > 0
}
