import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { closeDatabase, type Database, openDatabase, transaction } from '#lib/db/db.server'
import { migrate } from '#lib/db/migrate.server'
import { requestOfThisMachine } from '#lib/ground/http/client-address.server'
import { continueNumbers, isAfter, isUpTo } from '#lib/record/events/commit-order.server'
import { amendEvent, continueEvent, insertEvent } from '#lib/record/events/record.server'
import { removeEventsBefore } from '#lib/record/events/retention.server'
import { lastSeal, sealEvents } from '#lib/record/events/seals.server'
import { verifyEvents } from '#lib/record/events/verify.server'
import { ownDatabase, type Settings } from '#lib/tools/testing/own-database'
import { isLong } from '#lib/tools/testing/search'
import { settled } from '#lib/tools/testing/settled'

let settings: Settings
let db: Database

beforeAll(async () => {
  settings = await ownDatabase()
  db = openDatabase(settings)
  await migrate(db)
})

afterAll(() => closeDatabase(db))

const run = (statement: string) =>
  transaction((trx) => sql.raw<Record<string, unknown>>(statement).execute(trx), { on: db })

beforeEach(async () => {
  for (const table of ['event_seals', 'events', 'past_rows', 'device_types'])
    await run(`delete from ${table}`)
  await run('update seal_progress set closed_transaction = -1, closed_event = 0, removed_seals = 0')
  await run('update journal_beginning set moment = 0')
})

const request = requestOfThisMachine()

/** An event and a row that its transaction changed. */
const change = (name: string, on = db): Promise<number> =>
  transaction(
    async (trx) => {
      await sql`insert into device_types (name, name_key, nat) values (${name}, ${name}, 0)`.execute(trx)
      return insertEvent(trx, {
        request,
        action: 'create',
        changes: { name: { after: name } },
        by: { id: 1, nick: 'admin', enterpriseId: 1 },
        entity: {
          type: 'datacenter',
          id: 1,
          name,
          path: '/x',
          place: { enterprise: 1, datacenter: 1, scope: 1 },
          was: { enterprise: 1 },
        },
      })
    },
    { on },
  )

/** Moves everything younger than half that time back by so many seconds. */
async function age(seconds: number): Promise<void> {
  const us = seconds * 1_000_000
  const since = Date.now() * 1000 - us / 2
  await run(
    `update events set moment = moment - ${us}, timestamp = timestamp - ${seconds * 1000} where moment > ${since}`,
  )
  await run(`update event_steps set moment = moment - ${us} where moment > ${since}`)
  await run(`update past_rows set until = until - ${us} where until > ${since}`)
}

/** Runs the sealing that is due. */
async function seal() {
  await settled(db)
  return sealEvents(db)
}

async function sealed(names: readonly string[]): Promise<number[]> {
  const ids: number[] = []
  for (const name of names) ids.push(await change(name))
  await age(60)
  await seal()
  return ids
}

const verdict = () =>
  verifyEvents(db).then(
    ({ kept, removed, waiting }) => ({
      events: kept.events,
      seals: kept.seals,
      removed: removed.events,
      waiting,
    }),
    (error: Error) => error.message,
  )

describe('a seal', () => {
  test('holds all events that are due, once, and the next one continues from it', async () => {
    await sealed(['a', 'b', 'c'])
    expect(await seal()).toBeUndefined()
    await sealed(['d'])
    expect(await verdict()).toEqual({ events: 4, seals: 2, removed: 0, waiting: 0 })
    expect(await lastSeal(db)).toMatchObject({ number: 2, events: 1 })
  })

  test('waits for events that may still be amended', async () => {
    const id = await change('young')
    await seal()
    expect(await verdict()).toEqual({ events: 0, seals: 0, removed: 0, waiting: 1 })
    const amended = (to: string) =>
      transaction((trx) => continueEvent(trx, id, { name: { after: to } }), { on: db })
    expect(await amended('older')).toBe(true)
    await age(60)
    await seal()
    expect(await verdict()).toMatchObject({ events: 1, seals: 1 })
    expect(await amended('sealed')).toBe(false)
    expect(await verdict()).toMatchObject({ events: 1, seals: 1 })
  })

  test('is made of closed events: after a crash in between they are not amended, and are sealed later', async () => {
    const id = await change('closed')
    await run(
      `update seal_progress set closed_transaction = (select transaction_number from events), closed_event = ${id}`,
    )
    expect(await transaction((trx) => amendEvent(trx, id, { ip: '192.0.2.1' }), { on: db })).toBe(false)
    expect(await seal()).toMatchObject({ number: 1, events: 1 })
  })

  test('spans an hour and a hundred events at most', async () => {
    for (const name of ['a', 'b']) await change(name)
    await age(7200)
    await sealed(Array.from({ length: 101 }, (_, index) => `many ${index}`))
    const { rows } = await run('select events from event_seals order by number')
    expect(rows.map(({ events }) => Number(events))).toEqual([2, 100, 1])
    expect(await verdict()).toMatchObject({ events: 103, seals: 3 })
  })

  test('is made once, however many processes try', async () => {
    for (let index = 0; index < 30; index += 1) await change(`raced ${index}`)
    await age(60)
    await settled(db)
    const others = [openDatabase(settings), openDatabase(settings)]
    try {
      await Promise.all([db, ...others].map((on) => sealEvents(on)))
    } finally {
      for (const other of others) await closeDatabase(other)
    }
    expect(await verdict()).toMatchObject({ events: 30, seals: 1 })
  })
})

describe('found is', () => {
  test('a change of any column of an event', async () => {
    const [, id = 0] = await sealed(['before', 'changed', 'after'])
    const { rows } = await run(`select * from events where id = ${id}`)
    const row = rows[0] ?? {}
    expect(Object.keys(row).length).toBeGreaterThan(20)
    for (const [column, value] of Object.entries(row)) {
      const other =
        typeof value === 'string' ? `'${value.replace(/.$/, '~')}'` : String(Number(value ?? 6) + 1)
      const old = typeof value === 'string' ? `'${value}'` : String(value)
      const where = column === 'id' ? Number(value) + 1000 : id
      await run(`update events set ${column} = ${column === 'id' ? where : other} where id = ${id}`)
      expect(await verdict(), column).toMatch(/^Event \d+ /)
      if (!['id', 'transaction_number'].includes(column))
        expect(await verdict(), column).toContain(`Event ${id} `)
      await run(`update events set ${column} = ${old} where id = ${where}`)
    }
    expect(await verdict()).toMatchObject({ events: 3 })
  })

  test.each([
    ['a past row that was changed', `update past_rows set content = '{}' where until = MOMENT`],
    ['a past row that was removed', 'delete from past_rows where until = MOMENT'],
    [
      'a past row that was added',
      `insert into past_rows (source, id, part, until) values ('scopes', 1, '', MOMENT)`,
    ],
    ['a further moment', 'insert into event_steps (event_id, moment) values (ID, 1)'],
  ])('%s', async (_, statement) => {
    const [id = 0] = await sealed(['one', 'two'])
    const { rows } = await run(`select moment from events where id = ${id}`)
    await run(statement.replaceAll('MOMENT', String(rows[0]?.moment)).replaceAll('ID', String(id)))
    expect(await verdict()).toBe(
      `Event ${id} in seal 1 was changed: the event itself, or the past rows of its change`,
    )
  })

  test('an event that was removed', async () => {
    const [, id] = await sealed(['one', 'two', 'three'])
    await run(`delete from events where id = ${id}`)
    expect(await verdict()).toBe(`Event ${id} in seal 1 is missing, and not by retention`)
  })

  test('an event that was inserted', async () => {
    const id = await change('one')
    await run(`update events set id = ${await change('two')} + 1000 where id > ${id}`)
    await sealed([])
    await run(`insert into events (id, timestamp, action, entity_type, entity_name, entity_key, changes, request_id, ip, transaction_number)
      select id + 1, timestamp, action, entity_type, entity_name, entity_key, changes, request_id, ip, transaction_number
      from events where id = ${id}`)
    expect(await verdict()).toBe(`Event ${id + 1} was inserted: no seal has it`)
  })

  test('a change of any column of a seal', async () => {
    for (const name of ['one', 'two', 'three']) await sealed([name])
    const { rows } = await run('select * from event_seals where number = 2')
    for (const [column, value] of Object.entries(rows[0] ?? {})) {
      const isText = typeof value === 'string'
      const changed = isText ? `'${value.replace(/.$/, 'x')}'` : String(Number(value) + 100)
      await run(`update event_seals set ${column} = ${changed} where number = 2`)
      expect(await verdict(), column).toMatch(/^(The entries of )?[Ss]eal 2 /)
      const where = column === 'number' ? changed : 2
      await run(`update event_seals set ${column} = ${isText ? `'${value}'` : value} where number = ${where}`)
    }
    expect(await verdict()).toMatchObject({ events: 3, seals: 3 })
  })

  test('a seal that was removed, or swapped with another one', async () => {
    for (const name of ['one', 'two', 'three']) await sealed([name])
    await run('update event_seals set number = -1 where number = 1')
    expect(await verdict()).toBe('Seal 1 is missing')
    await run('update event_seals set number = 1 where number = 2')
    await run('update event_seals set number = 2 where number = -1')
    expect(await verdict()).toBe('Seal 1 was changed, or stands in the place of another one')
  })

  test('an end that was cut off, by a seal that is kept elsewhere', async () => {
    await sealed(['one'])
    await sealed(['two'])
    const anchor = (await lastSeal(db)) ?? { number: 0, digest: '' }
    await expect(verifyEvents(db, anchor)).resolves.toMatchObject({ kept: { events: 2 } })
    await run('delete from event_seals where number = 2')
    await expect(verifyEvents(db, anchor)).rejects.toThrow('Seal 2 is missing: the last seal is 1')
    await run('update events set ip = action')
    await run('delete from event_seals')
    await seal()
    await expect(verifyEvents(db, { ...anchor, number: 1 })).rejects.toThrow('is not the one that was kept')
  })
})

describe('retention', () => {
  /** Two seals, of which the first is a day old. */
  async function twoSeals(): Promise<void> {
    for (const name of ['one', 'two']) await change(name)
    await age(86_400)
    await sealed(['three'])
  }

  const HALF_A_DAY = 43_200_000

  test('removes events with their past and leaves their seals, which are verified', async () => {
    await twoSeals()
    expect(await removeEventsBefore(Date.now() - HALF_A_DAY, db)).toBe(2)
    expect(await verdict()).toEqual({ events: 1, seals: 1, removed: 2, waiting: 0 })
    const { rows } = await run(`select moment, (select moment from journal_beginning) as beginning,
      (select min(until) from past_rows) as oldest from events`)
    expect(rows).toHaveLength(1)
    expect(Number(rows[0]?.oldest)).toBe(Number(rows[0]?.moment))
    expect(Number(rows[0]?.beginning)).toBeLessThan(Number(rows[0]?.moment))
    expect(await removeEventsBefore(Date.now() - HALF_A_DAY, db)).toBe(0)
    await sealed(['four'])
    expect(await verdict()).toEqual({ events: 2, seals: 2, removed: 2, waiting: 0 })
  })

  test('leaves events without a seal, and the past of events that are kept', async () => {
    await change('unsealed')
    await age(86_400)
    expect(await removeEventsBefore(Date.now() - HALF_A_DAY, db)).toBe(0)
    const { rows } = await run(
      'select (select count(*) from events) as events, (select count(*) from past_rows) as past',
    )
    expect(rows.map(Object.values)).toEqual([[1, 1]])
  })

  test('hides no change in the remaining events', async () => {
    await twoSeals()
    await removeEventsBefore(Date.now() - HALF_A_DAY, db)
    await run('update seal_progress set removed_seals = 2')
    expect(await verdict()).toMatch(/^The entries of seal 2 /)
    await run('update seal_progress set removed_seals = 0')
    expect(await verdict()).toMatch(/^The entries of seal 1 /)
    await run('update seal_progress set removed_seals = 1')
    await run('update events set id = 0, transaction_number = 0')
    expect(await verdict()).toMatch(/^Event 0 was inserted|^Event \d+ in seal 2 is missing/)
  })
})

test.runIf(isLong || process.env.TEST_ENGINE === 'sqlite')(
  'npm run verify-events prints the verdict, and exits with 1 if an event was changed',
  async () => {
    const [id] = await sealed(['one', 'two'])
    const verify = (...parameters: string[]) =>
      promisify(execFile)(process.execPath, ['lib/tools/scripts/run.js', 'verify-events', ...parameters], {
        env: { ...process.env, DATA_DIR: settings.DATA_DIR, DATABASE_URL: settings.DATABASE_URL ?? '' },
      }).then(
        ({ stdout }) => [0, stdout],
        ({ code, stderr }) => [code, stderr],
      )
    // Prints the same results as the tests above.
    if (isLong) {
      expect(await verify()).toEqual([0, '2 events in 1 seals are as they were written\n'])
      expect(await verify('1')).toEqual([2, expect.stringContaining('NUMBER:DIGEST')])
    }
    await run(`update events set entity_name = 'onE' where id = ${id}`)
    expect(await verify()).toEqual([1, expect.stringContaining(`Event ${id} in seal 1 was changed`)])
  },
)

test.runIf(process.env.TEST_ENGINE === 'sqlite')(
  'a place in the order of commit is found without reading all events',
  async () => {
    const at = { transaction: 0, event: 5 }
    for (const place of [isAfter(db.engine, at), isUpTo(db.engine, at)]) {
      const plan = sql<{ detail: string }>`explain query plan select * from events where ${place}`
      const { rows } = await plan.execute(db.read)
      expect(rows.map(({ detail }) => detail)).toEqual([
        expect.stringContaining('INTEGER PRIMARY KEY (rowid'),
      ])
    }
  },
)

describe.runIf(process.env.TEST_ENGINE === 'postgres')('in PostgreSQL', () => {
  test('an event whose transaction still runs is not passed', async () => {
    const [began, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = transaction(
      async (trx) => {
        await insertEvent(trx, {
          request,
          action: 'create',
          by: undefined,
          entity: { type: 'scope', name: 'slow' },
        })
        began.resolve()
        await end.promise
      },
      { on: db },
    )
    await began.promise
    await change('quick')
    await age(60)
    expect(await sealEvents(db)).toBeUndefined()
    end.resolve()
    await slow
    await age(60)
    expect(await seal()).toMatchObject({ events: 2 })
  })

  test('the order continues after a restored dump whose transactions had higher numbers', async () => {
    await change('dumped')
    await run('update events set transaction_number = 5000000000000')
    await age(60)
    await continueNumbers(db)
    await seal()
    await change('restored')
    const { rows } = await run('select entity_name as name from events order by transaction_number, id')
    expect(rows.map(({ name }) => name)).toEqual(['dumped', 'restored'])
    await run('update transaction_base set number = 0')
  })
})
