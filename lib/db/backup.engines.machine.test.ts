import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backUp, restore } from '#lib/db/backup.server'
import { isMigrated } from '#lib/db/migrate.server'
import { env } from '#lib/ground/env.server'
import { inDatabase, ownDatabase, type Settings } from '#lib/tools/testing/own-database'
import { kill, startWriter } from '#lib/tools/testing/writing'

const onSqlite = test.runIf(env().DATABASE_URL === undefined)

const datacentersOf = (settings: Settings): Promise<string[]> =>
  inDatabase(settings, async ({ read }) => {
    const rows = await read.selectFrom('datacenters').select('name').orderBy('id').execute()
    return rows.map(({ name }) => name)
  })

onSqlite(
  'a backup made during writes is a consistent snapshot and can be restored',
  {
    timeout: 60_000,
  },
  async () => {
    const settings = await ownDatabase()
    const copy = join(settings.DATA_DIR, 'copy.db')
    const writer = startWriter(settings)
    await writer.reaches(20)
    const before = writer.acknowledged.length
    await backUp(settings, copy)
    await writer.reaches(writer.acknowledged.length + 20)
    await kill(writer)
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    expect(existsSync(`${copy}.part`)).toBe(false)

    const other = await ownDatabase()
    expect(restore(other, copy)).toEqual({ previous: undefined })
    const restored = await datacentersOf(other)
    const all = await datacentersOf(settings)
    expect(restored.length).toBeGreaterThanOrEqual(before)
    expect(restored).toEqual(all.slice(0, restored.length))
    expect(all.length).toBeGreaterThan(restored.length)
    expect(await inDatabase(other, isMigrated)).toBe(true)
  },
)
