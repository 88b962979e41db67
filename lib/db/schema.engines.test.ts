import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { closeDatabase, type Database, openDatabase, transaction } from '#lib/db/db.server'
import { migrate, schemaVersion } from '#lib/db/migrate.server'
import { NewerSchema } from '#lib/db/schema.server'
import { ask, failingStart, startApi, statusOf } from '#lib/tools/testing/api-process'
import { admin } from '#lib/tools/testing/client'
import { ownDatabase } from '#lib/tools/testing/own-database'
import { isLong } from '#lib/tools/testing/search'

/* A newer program has migrated the database. */

const newer = schemaVersion + 1
const SLOW = { timeout: 120_000 }

async function prepared() {
  const settings = await ownDatabase()
  const database = openDatabase(settings)
  onTestFinished(() => closeDatabase(database))
  await migrate(database)
  return { settings, database }
}

/** Leaves the row of a newer migration that lets programs of the schema `oldest` and later write. */
const leave = (on: Database, oldest: number) =>
  transaction(
    async (trx) => {
      if (on.engine === 'postgres') await sql`lock table users in access exclusive mode`.execute(trx)
      await sql`delete from migrations where version = ${newer}`.execute(trx)
      await sql`insert into migrations (version, applied_at, oldest) values (${newer}, 0, ${oldest})`.execute(
        trx,
      )
    },
    { on, anySchema: true },
  )

const namesIn = async ({ read }: Database) =>
  (await read.selectFrom('datacenters').select('name').execute()).map(({ name }) => name)

test('a program refuses to start on a newer schema, with one line', SLOW, async () => {
  const { settings, database } = await prepared()
  await leave(database, schemaVersion)
  const said = `The database belongs to a newer version of this program: its schema is ${newer}, this version supports up to ${schemaVersion}. Start the newer version, or restore the backup that was made before the upgrade.`
  await expect(migrate(database)).rejects.toThrow(said)
  // lib/server/start-failure.server.ts prints the message.
  if (isLong) expect(await failingStart(settings)).toEqual({ code: 1, said: `${said}\n` })
})

test.runIf(isLong || process.env.TEST_ENGINE === 'sqlite')(
  'a running program writes on a newer schema only if the migration allows it',
  SLOW,
  async () => {
    const { settings, database } = await prepared()
    const api = await startApi(settings)
    onTestFinished(async () => {
      await api.stop()
    })
    const create = (name: string) => ask(api, '/api/admin/datacenters', { as: admin, body: { name } })
    const ready = async () => {
      const answer = await ask(api, '/readyz')
      return [answer.status, await answer.text()]
    }
    await leave(database, schemaVersion)
    expect([await statusOf(create('Allowed')), await ready()]).toEqual([201, [200, 'ready']])

    await leave(database, newer)
    const refused = await create('Refused')
    expect([refused.status, await refused.json()]).toMatchObject([
      503,
      {
        collection: [
          {
            code: '503-UNAVAILABLE',
            message: 'Changes cannot be saved: the database belongs to a newer version of this program',
          },
        ],
      },
    ])
    expect(await ready()).toEqual([503, 'not ready: the database belongs to a newer version'])
    expect(await statusOf(ask(api, '/api/admin/datacenters', { as: admin }))).toBe(200)
    expect(await namesIn(database)).toEqual(['Allowed'])
  },
)

test('a migration waits for transactions that have begun, and those that begin later are rolled back', async () => {
  const { settings, database } = await prepared()
  const other = openDatabase(settings)
  onTestFinished(() => closeDatabase(other))
  const began = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const insert = (name: string, between?: () => Promise<void>) =>
    transaction(
      async (trx) => {
        await trx.insertInto('datacenters').values({ name, name_key: name, location: '' }).execute()
        await between?.()
      },
      { on: database },
    )
  const first = insert('first', () => {
    began.resolve()
    return done.promise
  })
  await began.promise
  const migrates = leave(other, newer)
  if (database.engine === 'postgres')
    await expect
      .poll(async () => (await sql`select 1 from pg_locks where not granted`.execute(database.read)).rows)
      .toHaveLength(1)
  const second = migrates.then(() => insert('second'))
  const third = database.engine === 'postgres' ? insert('third') : second
  second.catch(() => {})
  third.catch(() => {})
  done.resolve()
  await first
  await expect(third).rejects.toThrow(NewerSchema)
  await expect(second).rejects.toThrow(NewerSchema)
  expect(await namesIn(database)).toEqual(['first'])
})
