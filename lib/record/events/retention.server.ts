import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, database, type Trx, transaction } from '#lib/db/db.server'
import type { Engine } from '#lib/db/dialect.server'
import { journaledTables } from '#lib/db/journal.server'
import { isUpTo } from '#lib/record/events/commit-order.server'
import { endOf } from '#lib/record/events/seals.server'

/** Past rows that one transaction removes. */
const ROWS = 200

/** On SQLite other writers wait for a step, and all requests for its commit: between two steps they have three quarters of the time. */
const REST = 3

/** Repeats a step that removes rows until it removes none. Returns the number of removed rows. */
async function inSteps(step: () => Promise<number>): Promise<number> {
  let removed = 0
  for (;;) {
    const began = performance.now()
    const count = await step()
    if (count === 0) return removed
    removed += count
    await delay((performance.now() - began) * REST)
  }
}

/** Removes the events before this time (epoch milliseconds) and their past, in small transactions. Returns the number of events. */
export async function removeEventsBefore(time: number, on: Database = database()): Promise<number> {
  const removed = await inSteps(() => transaction((trx) => removeSealBefore(trx, on.engine, time), { on }))
  const beginning = await moveBeginning(on, time)
  for (const source of journaledTables) await inSteps(() => removePastRows(on, source, beginning))
  return removed
}

/** Removes the events of the oldest seal, all or none: the seal stays, so that the seals after it can be verified. */
async function removeSealBefore(trx: Trx, engine: Engine, time: number): Promise<number> {
  const { removed_seals } = await trx
    .selectFrom('seal_progress')
    .select('removed_seals')
    .executeTakeFirstOrThrow()
  const seal = await trx
    .selectFrom('event_seals')
    .where('number', '=', removed_seals + 1)
    .where('newest', '<', time)
    .select(['number', 'last_transaction', 'last_event', 'events'])
    .executeTakeFirst()
  if (!seal) return 0
  await trx
    .deleteFrom('events')
    .where(isUpTo(engine, endOf(seal)))
    .execute()
  await trx.updateTable('event_seals').set({ entries: null }).where('number', '=', seal.number).execute()
  await trx.updateTable('seal_progress').set({ removed_seals: seal.number }).execute()
  return seal.events
}

/** The journal begins at the oldest event that is left, or at this time. Returns the moment up to which past rows serve nothing. */
const moveBeginning = (on: Database, time: number): Promise<number> =>
  transaction(
    async (trx) => {
      const { moment } = await trx.selectFrom('journal_beginning').select('moment').executeTakeFirstOrThrow()
      const oldest = await trx
        .selectFrom('events')
        .where('moment', 'is not', null)
        .select('moment')
        .orderBy('moment')
        .limit(1)
        .executeTakeFirst()
      // The oldest event changes the state of the moment before it, so `before` reads that moment.
      const beginning = Math.min(time * 1000, oldest?.moment ?? Number.POSITIVE_INFINITY) - 1
      if (beginning > moment) await trx.updateTable('journal_beginning').set({ moment: beginning }).execute()
      return beginning
    },
    { on },
  )

const removePastRows = (on: Database, source: string, upTo: number): Promise<number> =>
  transaction(
    async (trx) => {
      const oldest = trx
        .selectFrom('past_rows')
        .where('source', '=', source)
        .where('until', '<=', upTo)
        .select(['id', 'part', 'until'])
        .orderBy('until')
        .limit(ROWS)
      const { numDeletedRows } = await trx
        .deleteFrom('past_rows')
        .where('source', '=', source)
        .where(sql<boolean>`(id, part, until) in ${oldest}`)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
    { on },
  )

/** Lets the journal begin at this time (epoch milliseconds): the sample's past is made later than it happened. */
export const beginJournal = (trx: Trx, time: number): Promise<unknown> =>
  trx
    .updateTable('journal_beginning')
    .set({ moment: time * 1000 })
    .execute()
