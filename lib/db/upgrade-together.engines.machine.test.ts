import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { closeDatabase, type Database, openDatabase, transaction } from '#lib/db/db.server'
import { isMigrated, migrate, schemaVersion } from '#lib/db/migrate.server'
import { env } from '#lib/ground/env.server'
import { registry } from '#lib/ground/metrics/metrics.server'
import { fillAt, ownDatabase } from '#lib/tools/testing/own-database'

/** The upgrade changes rows of `scopes`. */
const BEFORE_SCOPES = 17
const scopesAreChanged = sql`update scopes set name_key = name_key`

test.runIf(process.env.TEST_ENGINE === 'postgres')(
  'a migration waits for transactions of others, which go on meanwhile, and runs once',
  { timeout: 120_000 },
  async () => {
    const settings = await ownDatabase()
    await fillAt(settings, BEFORE_SCOPES, [])
    const [upgraded, old] = [openDatabase(settings), openDatabase(settings)]
    onTestFinished(async () => {
      for (const database of [upgraded, old]) await closeDatabase(database)
    })
    const began = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const long = transaction(
      async (trx) => {
        await scopesAreChanged.execute(trx)
        began.resolve()
        await end.promise
      },
      { on: old, anySchema: true },
    )
    await began.promise
    const before = await retries()
    const migrated = migrate(upgraded)
    // Waits for the migration's lock, until the migration gives up for a while.
    await vi.waitFor(async () => expect(await lockedTables(old)).toContain('datacenters'), {
      timeout: 30_000,
    })
    await transaction((trx) => sql`update datacenters set name = name`.execute(trx), {
      on: old,
      anySchema: true,
    })
    end.resolve()
    await long
    await migrated
    expect(await isMigrated(upgraded)).toBe(true)
    expect(await retries()).toBe(before)
  },
)

const lockedTables = async ({ write }: Database): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select relation::regclass::text as name from pg_locks
    where mode = 'AccessExclusiveLock' and relation is not null`.execute(write)
  return rows.map(({ name }) => name)
}

const retries = async (): Promise<number> =>
  Number(/^database_transaction_retries_total (\d+)/m.exec(await registry.metrics())?.[1])

const versions = Array.from({ length: schemaVersion }, (_, version) => version)

/** PostgreSQL takes seconds for each: a fifth of them, unless TEST_SEARCH=long. */
const isShort = env().DATABASE_URL !== undefined && process.env.TEST_SEARCH !== 'long'
const tried = isShort ? versions.filter((version) => version % 5 === 1) : versions

test.each(tried)(
  'two processes that start together bring schema %i up to date once',
  { timeout: 120_000 },
  async (version) => {
    const settings = await ownDatabase()
    if (version > 0) await fillAt(settings, version, [])
    const together = [openDatabase(settings), openDatabase(settings)]
    onTestFinished(async () => {
      for (const database of together) await closeDatabase(database)
    })
    await Promise.all(together.map(migrate))
    for (const database of together) {
      expect(await isMigrated(database)).toBe(true)
      const { rows } = await sql`select version from migrations order by version`.execute(database.read)
      expect(rows).toEqual(rows.map((_, index) => ({ version: index + 1 })))
    }
  },
)
