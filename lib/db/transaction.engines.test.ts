import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { closeDatabase, type Database, openDatabase, type Trx, transaction } from '#lib/db/db.server'
import { LostRace } from '#lib/db/dialect.server'
import { isMigrated, migrate } from '#lib/db/migrate.server'
import { attempt } from '#lib/db/savepoints.server'
import { together } from '#lib/db/statements.server'
import { commitAfter } from '#lib/db/transactions.server'
import { retryIfTaken } from '#lib/db/unique.server'
import { ApiError } from '#lib/ground/http/errors'
import { ownDatabase, type Settings } from '#lib/tools/testing/own-database'

function open(settings: Settings): Database {
  const database = openDatabase(settings)
  onTestFinished(() => closeDatabase(database))
  return database
}

/** Several pools on one new database, as several processes have them. */
async function openTogether(count: number): Promise<Database[]> {
  const settings = await ownDatabase()
  return Array.from({ length: count }, () => open(settings))
}

async function openOne(): Promise<Database> {
  const database = open(await ownDatabase())
  await migrate(database)
  return database
}

let shared: Database

beforeAll(async () => {
  shared = openDatabase(await ownDatabase())
  await migrate(shared)
})
afterAll(() => closeDatabase(shared))

/** The database of most tests, without datacenters. */
async function emptied(): Promise<Database> {
  await transaction((trx) => trx.deleteFrom('datacenters').execute(), { on: shared })
  return shared
}

const insert = (trx: Trx, name: string) =>
  trx.insertInto('datacenters').values({ name, name_key: name, location: '0' }).execute()

const namesIn = async ({ read }: Database): Promise<string[]> =>
  (await read.selectFrom('datacenters').select('name').orderBy('name_key').execute()).map(({ name }) => name)

describe('migrations', () => {
  test('run once, however many start at the same time', async () => {
    const databases = await openTogether(4)
    await Promise.all(databases.map(migrate))
    for (const database of databases) {
      expect(await isMigrated(database)).toBe(true)
      const { rows } = await sql`select version from migrations`.execute(database.read)
      expect(rows).toEqual(rows.map((_, index) => ({ version: index + 1 })))
    }
  })

  test('change no data when they run again', async () => {
    const database = await openOne()
    await transaction((trx) => insert(trx, 'present'), { on: database })
    await migrate(database)
    expect(await namesIn(database)).toEqual(['present'])
  })

  test('create the global scope, and the next scope gets id 2', async () => {
    const database = await openOne()
    const { id } = await transaction(
      (trx) =>
        trx
          .insertInto('scopes')
          .values({
            name: 'Next',
            name_key: 'next',
            natural_key: 'next',
            parent_id: 1,
            all_datacenters: 0,
            all_enterprises: 0,
          })
          .returning('id')
          .executeTakeFirstOrThrow(),
      { on: database },
    )
    expect(id).toBe(2)
  })
})

describe('a transaction', () => {
  test('is rolled back if its work throws', async () => {
    const database = await emptied()
    const work = transaction(
      async (trx) => {
        await insert(trx, 'first')
        await insert(trx, 'second')
        throw new Error('changed my mind')
      },
      { on: database },
    )
    await expect(work).rejects.toThrow('changed my mind')
    expect(await namesIn(database)).toEqual([])
    await transaction((trx) => insert(trx, 'third'), { on: database })
    expect(await namesIn(database)).toEqual(['third'])
  })

  test('is rolled back without a retry if a constraint refuses it', async () => {
    const database = await emptied()
    let runs = 0
    const work = transaction(
      async (trx) => {
        runs += 1
        await insert(trx, 'first')
        await insert(trx, 'first')
      },
      { on: database },
    )
    await expect(work).rejects.toThrow(/unique/i)
    expect(runs).toBe(1)
    expect(await namesIn(database)).toEqual([])
  })

  test('does not show its changes to others before it commits', async () => {
    const database = await emptied()
    await transaction(
      async (trx) => {
        await insert(trx, 'unfinished')
        expect(await namesIn(database)).toEqual([])
      },
      { on: database },
    )
    expect(await namesIn(database)).toEqual(['unfinished'])
  })

  test('is retried from its start after a conflict, so that no update is lost', async () => {
    const databases = await openTogether(3)
    const [first] = databases as [Database]
    await migrate(first)
    await transaction((trx) => insert(trx, 'counter'), { on: first })
    let runs = 0
    const EACH = 30
    const countUp = (on: Database) =>
      transaction(
        async (trx) => {
          runs += 1
          const { location } = await trx
            .selectFrom('datacenters')
            .select('location')
            .executeTakeFirstOrThrow()
          await trx
            .updateTable('datacenters')
            .set({ location: String(Number(location) + 1) })
            .execute()
        },
        { on },
      )
    await Promise.all(databases.flatMap((database) => Array.from({ length: EACH }, () => countUp(database))))
    const { location } = await first.read
      .selectFrom('datacenters')
      .select('location')
      .executeTakeFirstOrThrow()
    expect(location).toBe(String(3 * EACH))
    // A pool begins as many together as it has connections. After the first conflict those of all pools take turns.
    expect(runs).toBeGreaterThanOrEqual(3 * EACH)
    expect(runs).toBeLessThanOrEqual(3 * 3 * EACH)
  })

  // SQLite has one writer at a time.
  test.runIf(process.env.TEST_ENGINE === 'postgres')('goes on beside a long one of its lane', async () => {
    const [one, other] = (await openTogether(2)) as [Database, Database]
    await migrate(one)
    const conflict = Object.assign(new Error('conflict'), { code: '40001' })
    const began = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const inTurn = (on: Database, work: (trx: Trx) => Promise<unknown>) => {
      let isFirst = true
      return transaction(
        async (trx) => {
          await sql`select 1`.execute(trx)
          if (isFirst) {
            isFirst = false
            throw conflict
          }
          await work(trx)
        },
        { on, again: (error) => error === conflict, lane: 'long' },
      )
    }
    const long = inTurn(one, async () => {
      began.resolve()
      await ended.promise
    })
    await began.promise
    const since = performance.now()
    await inTurn(other, (trx) => insert(trx, 'short'))
    // It waited for its turn, but not for the end of the long one.
    expect(performance.now() - since).toBeGreaterThan(200)
    expect(await namesIn(one)).toEqual(['short'])
    ended.resolve()
    await long
  })

  test('fails with a statement that its commit follows, and is retried for its conflict', async () => {
    const database = await emptied()
    const fails = transaction(
      async (trx) => {
        await insert(trx, 'unrecorded')
        await commitAfter(trx, sql`insert into no_table_of_a_test values (1)`.execute(trx))
      },
      { on: database },
    )
    await expect(fails).rejects.toThrow('no_table_of_a_test')
    let runs = 0
    const again = transaction(
      async (trx) => {
        runs += 1
        await insert(trx, `attempt ${runs}`)
        if (runs === 1) await commitAfter(trx, Promise.reject(new LostRace('another was first')))
        if (runs === 1) throw new Error('refused because of it')
      },
      { on: database },
    )
    await again
    expect(await namesIn(database)).toEqual(['attempt 2'])
  })

  test('is refused with its last statement also if it has gone back to a savepoint meanwhile', async () => {
    const database = await emptied()
    const work = transaction(
      async (trx) => {
        await insert(trx, 'without its event')
        await attempt(trx, async () => {
          await commitAfter(trx, sql`insert into no_table_of_a_test values (1)`.execute(trx))
          throw new ApiError('NAT-IP-0')
        })
      },
      { on: database },
    )
    await expect(work).rejects.toThrow('no_table_of_a_test')
    expect(await namesIn(database)).toEqual([])
  })

  test.runIf(process.env.TEST_ENGINE === 'postgres')(
    'is retried for a conflict that another statement has made unreadable',
    async () => {
      const database = await emptied()
      let runs = 0
      const work = transaction(
        async (trx) => {
          runs += 1
          const twice = async () => {
            await sql`select 1`.execute(trx)
            await sql`select 2`.execute(trx)
          }
          const conflict = sql`do $$ begin raise exception using errcode = '40001'; end $$`
          await together(twice(), runs === 1 ? conflict.execute(trx) : Promise.resolve())
          await insert(trx, 'again')
        },
        { on: database },
      )
      await work
      expect([runs, await namesIn(database)]).toEqual([2, ['again']])
    },
  )

  test('sends nothing of a branch that still runs when another one has failed', async () => {
    const database = await emptied()
    const went = Promise.withResolvers<void>()
    const work = transaction(
      (trx) =>
        Promise.all([
          sql`select 1`
            .execute(trx)
            .then(() => insert(trx, 'outside'))
            .finally(went.resolve),
          Promise.reject(new ApiError('NAT-IP-0')),
        ]),
      { on: database },
    )
    await expect(work).rejects.toThrow(ApiError)
    await went.promise.catch(() => {})
    expect(await namesIn(database)).toEqual([])
  })

  test('takes no statement after its end', async () => {
    const database = await emptied()
    let kept: Trx | undefined
    await transaction(
      async (trx) => {
        kept = trx
      },
      { on: database },
    )
    await expect(kept && insert(kept, 'late')).rejects.toThrow('The transaction is over')
    expect(await namesIn(database)).toEqual([])
  })

  test.runIf(process.env.TEST_ENGINE === 'postgres')(
    'changes nothing if it does not begin, although its first read has left with the beginning',
    async () => {
      const database = await emptied()
      const read: unknown[] = []
      const work = database.write.inTransaction({ isolationLevel: 'nonsense' as never }, async (trx) => {
        const first = sql`select 1 as one`.execute(trx).then(({ rows }) => read.push(...rows))
        await Promise.all([first, insert(trx, 'unbegun')])
      })
      await expect(work).rejects.toThrow(/syntax/)
      expect([read, await namesIn(database)]).toEqual([[], []])
    },
  )

  test('is retried only while its condition allows a retry', async () => {
    const database = await emptied()
    const conflict = Object.assign(new Error('conflict'), { code: '40001' })
    let runs = 0
    const work = transaction(
      async () => {
        runs += 1
        throw conflict
      },
      { on: database, again: (error) => error === conflict && runs < 5 },
    )
    await expect(work).rejects.toBe(conflict)
    expect(runs).toBe(5)
  })

  test('is retried if a name was taken meanwhile', async () => {
    const database = await emptied()
    await transaction((trx) => insert(trx, 'taken'), { on: database })
    const tried: string[] = []
    await transaction(
      async (trx) => {
        const name = tried.length === 0 ? 'taken' : 'free'
        tried.push(name)
        await retryIfTaken('datacenters', insert(trx, name))
      },
      { on: database },
    )
    expect(tried).toEqual(['taken', 'free'])
    expect(await namesIn(database)).toEqual(['free', 'taken'])
  })

  test('enforces foreign keys', async () => {
    const database = await emptied()
    const device = {
      datacenter_id: 999,
      device_type_id: 1,
      name: 'd',
      name_key: 'd',
      description: '',
      endpoint: '',
      login: '',
      password: null,
    }
    const work = transaction((trx) => trx.insertInto('devices').values(device).execute(), { on: database })
    await expect(work).rejects.toThrow(/foreign key/i)
  })

  test('succeeds after few attempts when many change the same row at once', async () => {
    const database = await emptied()
    await transaction((trx) => insert(trx, 'contested'), { on: database })
    let attempts = 0
    const countUp = async (trx: Trx) => {
      attempts += 1
      const { location } = await trx.selectFrom('datacenters').select('location').executeTakeFirstOrThrow()
      await trx
        .updateTable('datacenters')
        .set({ location: String(Number(location) + 1) })
        .execute()
    }
    const count = 60
    await Promise.all(Array.from({ length: count }, () => transaction(countUp, { on: database })))
    const { location } = await database.read
      .selectFrom('datacenters')
      .select('location')
      .executeTakeFirstOrThrow()
    expect(location).toBe(String(count))
    expect(attempts).toBeLessThanOrEqual(2.5 * count)
  })
})
