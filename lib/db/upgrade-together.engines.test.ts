import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { closeDatabase, openDatabase } from '#lib/db/db.server'
import { isMigrated, migrate, schemaVersion } from '#lib/db/migrate.server'
import { env } from '#lib/env.server'
import { fillAt, ownDatabase } from '#lib/testing/own-database'

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
