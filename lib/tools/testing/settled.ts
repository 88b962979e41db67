import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { Database } from '#lib/db/db.server'
import { isSettled } from '#lib/record/events/commit-order.server'

/** Waits until the order of all events is final. In PostgreSQL, transactions of other tests in the same cluster delay it. */
export const settled = (db: Database) =>
  vi.waitFor(
    async () => {
      const open = await db.write
        .selectFrom('events')
        .where(sql<boolean>`not ${isSettled(db.engine)}`)
        .select('id')
        .execute()
      expect(open).toEqual([])
    },
    { timeout: 50_000, interval: 20 },
  )
