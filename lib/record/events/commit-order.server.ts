import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '#lib/db/db.server'
import type { Engine } from '#lib/db/dialect.server'

/*
 * Events in the order of commit. In PostgreSQL an event gets its id before its transaction commits, so a later id may be visible first.
 * No transaction below the oldest one that still runs can commit any more: below it, the order is final.
 */

/** A place in the order of commit: that of an event, or before or after all events. */
export type Position = { transaction: number; event: number }

/** SQLite searches no index by both columns: it would read all events. */
const placeIn = (engine: Engine): RawBuilder<unknown> =>
  engine === 'postgres' ? sql`(events.transaction_number, events.id)` : sql`events.id`

const positionOf = (engine: Engine, { transaction, event }: Position): RawBuilder<unknown> =>
  engine === 'postgres' ? sql`(${transaction}, ${event})` : sql`${event}`

export const isAfter = (engine: Engine, position: Position): RawBuilder<SqlBool> =>
  sql`${placeIn(engine)} > ${positionOf(engine, position)}`

export const isUpTo = (engine: Engine, position: Position): RawBuilder<SqlBool> =>
  sql`${placeIn(engine)} <= ${positionOf(engine, position)}`

/** Whether no event can appear before this one any more. */
export const isSettled = (engine: Engine): RawBuilder<SqlBool> =>
  engine === 'postgres'
    ? sql`events.transaction_number < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
        + (select number from transaction_base)`
    : sql`1 = 1`

/** The column `transaction_number` of a new event. In SQLite the ids are in the order of commit. */
export const transactionNumber = (engine: Engine): RawBuilder<number> =>
  engine === 'postgres'
    ? sql`pg_current_xact_id()::text::bigint + (select number from transaction_base)`
    : sql`0`

/** A dump that is restored into another cluster of PostgreSQL meets lower transaction numbers: they go on from the highest one. */
export async function continueNumbers({ engine, write }: Database): Promise<void> {
  if (engine !== 'postgres') return
  await sql`update transaction_base set number = number + behind.by
    from (select max(events.transaction_number) + 1 - pg_snapshot_xmax(pg_current_snapshot())::text::bigint
      - (select number from transaction_base) as by from events) behind
    where behind.by > 0`.execute(write)
}
