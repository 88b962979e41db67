import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { restore } from '#lib/db/backup.server'
import { migrate, migrateTo, schemaVersion } from '#lib/db/migrate.server'
import { backUpBeforeUpgrade, pathOfBackup, upgradeBackups } from '#lib/db/upgrade-backups.server'
import { env } from '#lib/ground/env.server'
import { failingStart } from '#lib/tools/testing/api-process'
import { inDatabase, ownDatabase, type Settings } from '#lib/tools/testing/own-database'

/** A database of the embedded engine with the schema of this version, closed. */
async function databaseAt(version: number): Promise<Settings> {
  const settings = await ownDatabase()
  await inDatabase(settings, (database) => migrateTo(database, version))
  return settings
}

const versionIn = (file: string): unknown => {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return db.prepare('select max(version) as version from migrations').get()?.version
  } finally {
    db.close()
  }
}

const before = schemaVersion - 1

describe.skipIf(env().DATABASE_URL)('before an upgrade', () => {
  test('the database is backed up, and restore finds the backup by its name', async () => {
    const settings = await databaseAt(before)
    const file = join(settings.DATA_DIR, 'backups', `schema-${before}.db`)
    expect(await backUpBeforeUpgrade(settings)).toBe(file)
    await inDatabase(settings, migrate)
    expect(await backUpBeforeUpgrade(settings)).toBeUndefined()
    expect(pathOfBackup(settings.DATA_DIR, `schema-${before}.db`)).toBe(file)
    restore(settings, file)
    expect(versionIn(join(settings.DATA_DIR, 'console.db'))).toBe(before)
  })

  test('a new database is none', async () => {
    const settings = await ownDatabase()
    expect(await backUpBeforeUpgrade(settings)).toBeUndefined()
    expect(existsSync(join(settings.DATA_DIR, 'backups'))).toBe(false)
  })

  test('a repeated start replaces its backup, and removes what a killed one left and all but three', async () => {
    const settings = await databaseAt(before)
    const folder = join(settings.DATA_DIR, 'backups')
    mkdirSync(folder)
    for (const [days, name] of ['schema-12.db', 'schema-9.db', 'schema-11.db', 'schema-10.db'].entries()) {
      writeFileSync(join(folder, name), '')
      utimesSync(join(folder, name), 1000 - days, 1000 - days)
    }
    writeFileSync(join(folder, 'schema-3.db.part-wal'), '')
    const others = ['by-hand.db', 'madrid.partial.db']
    for (const name of others) writeFileSync(join(folder, name), '')
    symlinkSync('nowhere', join(folder, 'schema-2.db'))
    await backUpBeforeUpgrade(settings)
    await backUpBeforeUpgrade(settings)
    const kept = [`schema-${before}.db`, 'schema-12.db', 'schema-9.db']
    expect(upgradeBackups(settings.DATA_DIR)).toEqual(kept.map((name) => join(folder, name)))
    expect(readdirSync(folder).toSorted()).toEqual([...kept, ...others].toSorted())
  })

  test('a start that cannot back up changes nothing, and says why in one line', async () => {
    const settings = await databaseAt(before)
    const folder = join(settings.DATA_DIR, 'backups')
    writeFileSync(folder, 'no folder')
    const { code, said } = await failingStart(settings)
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/^No backup could be made before the upgrade, so nothing was changed: .+\n$/),
    ])
    expect(versionIn(join(settings.DATA_DIR, 'console.db'))).toBe(before)
    rmSync(folder)
  })
})

test.runIf(env().DATABASE_URL)('PostgreSQL is left to its own tools', async () => {
  expect(await backUpBeforeUpgrade(env())).toBeUndefined()
})
