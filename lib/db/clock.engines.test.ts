import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { database } from '#lib/db/db.server'
import { sealEvents } from '#lib/record/events/seals.server'
import { call, expectStatus, forgetDatabase, unique } from '#lib/tools/testing/client'
import { newScope, putScope, scopePath } from '#lib/tools/testing/scopes'

/** Sets the clock of PostgreSQL off by this many seconds. SQLite uses the clock of the process. */
async function setDatabaseClock(seconds: number): Promise<void> {
  const { engine, write } = database()
  if (engine !== 'postgres') return
  await sql`create or replace function clock_moment() returns bigint language sql
    return floor(extract(epoch from clock_timestamp()) * 1000000)::bigint + ${sql.lit(seconds * 1_000_000)}`.execute(
    write,
  )
}

afterEach(async () => {
  vi.useRealTimers()
  await setDatabaseClock(0)
})

const steps = fc.array(
  fc.oneof(
    fc.integer({ min: -3600, max: 3600 }),
    fc.constant('restart' as const),
    fc.constant('write' as const),
  ),
  { minLength: 5, maxLength: 10 },
)

type Event = { id: number; timestamp: string; changes: { name: { after: string } } }

const read = (path: string) => expectStatus(200, call('GET', path))

/** Renames a scope under a clock that jumps by these seconds. Returns the names and the times of the changes. */
async function renameUnder(
  scope: Awaited<ReturnType<typeof newScope>>,
  steps: (number | 'restart' | 'write')[],
) {
  const names = [scope.name]
  const times: string[] = []
  let off = 0
  for (const step of [...steps, 'write' as const]) {
    if (step === 'restart') await forgetDatabase()
    else if (step === 'write') {
      const name = unique('Renamed')
      await expectStatus(200, putScope(scope, { name }))
      names.push(name)
      times.push(new Date().toISOString())
    } else {
      off += step
      vi.setSystemTime(Date.now() + step * 1000)
      await setDatabaseClock(off)
    }
  }
  return { names, times }
}

test('whatever the clock does, the journal keeps the order of the changes', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      vi.useFakeTimers({ toFake: ['Date'] })
      const scope = await newScope()
      const path = scopePath(scope.id)
      const { names, times } = await renameUnder(scope, steps)
      const asof = `?asof=${new Date().toISOString()}`
      expect((await read(path + asof)).name).toBe(names.at(-1))
      const { collection } = await read(`/api/events?entity=scope&entityid=${scope.id}&action=update&by=id`)
      const events = collection as Event[]
      expect(events.map(({ timestamp }) => timestamp)).toEqual(times)
      for (const [index, { id }] of events.entries()) {
        expect((await read(`/api/events/${id}/before`)).name).toBe(names[index])
        expect((await read(`/api/events/${id}/after`)).name).toBe(names[index + 1])
      }
      await expectStatus(200, call('POST', `/api/events/${events.at(-1)?.id}/action/undo`))
      expect((await read(path)).name).toBe(names.at(-2))
    }),
    {
      numRuns: 4,
      examples: [
        [['write', -60, 'restart', 'write', 'write']],
        [['write', 3600, 'write', -3600, 'write', 'write']],
      ],
    },
  )
}, 60_000)

test('events are sealed by their time while the journal is ahead of the clock', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const scope = await newScope()
  await renameUnder(scope, [86_400, 'write', -86_400, 'write', 'write', 31])
  const last = await database()
    .read.selectFrom('events')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  // Later than the events of all tests that set the clock ahead.
  vi.setSystemTime(Date.now() + 1000 * 86_400_000)
  // On PostgreSQL, transactions of other databases hold seals up until they end.
  await vi.waitFor(async () => {
    await sealEvents()
    const { closed_event } = await database()
      .read.selectFrom('seal_progress')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(closed_event).toBeGreaterThanOrEqual(last.id)
  }, 15_000)
})
