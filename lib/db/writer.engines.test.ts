import { setImmediate } from 'node:timers/promises'
import { Kysely } from 'kysely'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  closeDatabase,
  type Database,
  type Db,
  databaseFile,
  openDatabase,
  transaction,
} from '#lib/db/db.server'
import { tried } from '#lib/db/savepoints.server'
import { openSqlite, sqliteDialect } from '#lib/db/sqlite.server'
import type { Tables } from '#lib/db/tables.server'
import { WriteDriver } from '#lib/db/writer.server'
import { migratedDatabase, type Settings } from '#lib/tools/testing/own-database'

/* Transactions at the same time, which SQLite commits together (writer.server.ts). */

let settings: Settings

beforeAll(async () => {
  settings = await migratedDatabase()
})

function open(): Database {
  const database = openDatabase(settings)
  onTestFinished(() => closeDatabase(database))
  return database
}

const insert = (db: Db, name: string) =>
  db.insertInto('datacenters').values({ name, name_key: name, location: '0' }).execute()

const namesLike = async ({ read }: Database, pattern: string): Promise<string[]> => {
  const rows = await read.selectFrom('datacenters').select('name').where('name', 'like', pattern).execute()
  return rows.map(({ name }) => name).sort()
}

const refused = new Error('refused')

/** Inserts two rows. Other transactions may run between them, unless they have to wait. */
const pair = (on: Database, name: string, fails: boolean) =>
  transaction(
    async (trx) => {
      await insert(trx, `${name} one`)
      await setImmediate()
      await insert(trx, `${name} two`)
      if (fails) throw refused
    },
    { on },
  )

test('each is all or nothing, whatever the others do', async () => {
  const database = open()
  const started: Promise<unknown>[] = []
  const expected: string[] = []
  for (let index = 0; index < 200; index += 1) {
    const fails = index % 3 === 1
    const name = `all ${String(index).padStart(3, '0')}`
    if (!fails) expected.push(`${name} one`, `${name} two`)
    const done = pair(database, name, fails)
    started.push(fails ? expect(done).rejects.toBe(refused) : done)
    if (index % 7 === 0) await started[index - 3]
    if (index % 5 === 0) await setImmediate()
  }
  await Promise.all(started)
  expect(await namesLike(database, 'all %')).toEqual(expected)
})

test('each transaction sees the writes of earlier ones', async () => {
  const database = open()
  const counts = Array.from({ length: 50 }, (_, index) =>
    transaction(
      async (trx) => {
        await insert(trx, `seen ${index}`)
        return trx.selectFrom('datacenters').select('id').where('name', 'like', 'seen %').execute()
      },
      { on: database },
    ),
  )
  const lengths = (await Promise.all(counts)).map(({ length }) => length)
  expect(lengths.sort((one, other) => one - other)).toEqual(lengths.map((_, index) => index + 1))
})

test('each is stored when its promise resolves: another connection reads it', async () => {
  const [database, other] = [open(), open()]
  const found = Array.from({ length: 40 }, async (_, index) => {
    await pair(database, `stored ${index}`, index % 4 === 3).catch(() => {})
    return (await namesLike(other, `stored ${index} %`)).length
  })
  expect(await Promise.all(found)).toEqual(
    Array.from({ length: 40 }, (_, index) => (index % 4 === 3 ? 0 : 2)),
  )
})

test('a write without a transaction is stored when its promise resolves, regardless of concurrent ones', async () => {
  const [database, other] = [open(), open()]
  const before = pair(database, 'around before', false)
  const single = insert(database.write, 'around single').then(() => namesLike(other, 'around %'))
  const after = expect(pair(database, 'around after', true)).rejects.toBe(refused)
  expect(await single).toEqual(expect.arrayContaining(['around single']))
  await Promise.all([before, after])
  expect(await namesLike(database, 'around %')).toEqual([
    'around before one',
    'around before two',
    'around single',
  ])
})

test('earlier writes are stored before long work ends, and visible to it on other connections', async () => {
  const database = open()
  const before = transaction((trx) => insert(trx, 'alone before'), { on: database })
  const long = transaction(
    async (trx) => {
      await insert(trx, 'alone long')
      await before
      return namesLike(database, 'alone %')
    },
    { on: database, alone: true },
  )
  expect(await long).toEqual(['alone before'])
  expect(await namesLike(database, 'alone %')).toEqual(['alone before', 'alone long'])
})

test.each([true, false])(
  'a rolled back trial leaves nothing, and writes before and after it stay (alone: %s)',
  async (alone) => {
    const database = open()
    const name = `trial ${alone}`
    const work = (kind: string, isFirst: boolean) =>
      transaction(
        async (trx) => {
          if (!isFirst) await insert(trx, `${name} ${kind} before`)
          await tried(trx, () => insert(trx, `${name} ${kind} tried`))
          expect(
            await trx.selectFrom('datacenters').select('name').where('name', 'like', '% tried').execute(),
          ).toEqual([])
          await insert(trx, `${name} ${kind} after`)
        },
        { on: database, alone },
      )
    await Promise.all([work('first', true), pair(database, `${name} other`, false), work('later', false)])
    const refusal = transaction(
      async (trx) => {
        await tried(trx, () => insert(trx, `${name} refused tried`))
        await insert(trx, `${name} refused after`)
        throw refused
      },
      { on: database, alone },
    )
    await expect(refusal).rejects.toBe(refused)
    expect(await namesLike(database, `${name} %`)).toEqual(
      ['first after', 'later after', 'later before', 'other one', 'other two'].map((end) => `${name} ${end}`),
    )
  },
)

test.runIf(process.env.TEST_ENGINE === 'sqlite')(
  'a writer that was opened on a read-only disk writes once the disk is writable',
  async () => {
    let isReadOnly = true
    const driver = new WriteDriver(
      {
        open: () => openSqlite(databaseFile(settings.DATA_DIR), isReadOnly, 1),
        whileAlone: async (work) => work(),
      },
      async () => {},
    )
    const db = new Kysely<Tables>({ dialect: sqliteDialect(driver) })
    onTestFinished(() => db.destroy())
    const write = (name: string) => db.transaction().execute((trx) => insert(trx, name))
    await expect(write('refused')).rejects.toThrow('readonly')
    await expect(write('refused again')).rejects.toThrow('readonly')
    isReadOnly = false
    await write('at last')
    const rows = await db
      .selectFrom('datacenters')
      .select('name')
      .where('name', 'in', ['refused', 'at last'])
      .execute()
    expect(rows).toEqual([{ name: 'at last' }])
  },
)
