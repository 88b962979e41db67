import {
  appendFileSync,
  copyFileSync,
  existsSync,
  lstatSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { backUp, lastBackup, restore } from '#lib/db/backup.server'
import { databaseFile } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { inDatabase, migratedDatabase, type Settings } from '#lib/tools/testing/own-database'

const isEmbedded = !env().DATABASE_URL
const skipped = () => {}
const onSqlite = isEmbedded ? test : skipped
const onPostgres = isEmbedded ? skipped : test

/** A new database, migrated and closed, and the path of a copy beside it. */
async function prepared(): Promise<{ settings: Settings; copy: string }> {
  const settings = await migratedDatabase()
  return { settings, copy: join(settings.DATA_DIR, 'copy.db') }
}

const datacentersOf = (settings: Settings): Promise<string[]> =>
  inDatabase(settings, async ({ read }) => {
    const rows = await read.selectFrom('datacenters').select('name').orderBy('id').execute()
    return rows.map(({ name }) => name)
  })

onSqlite('a restore replaces every table and keeps the previous database in a file', async () => {
  const { settings, copy } = await prepared()
  expect(lastBackup(settings.DATA_DIR)).toBe(0)
  await backUp(settings, copy)
  expect(existsSync(`${copy}.part`)).toBe(false)
  expect(Math.abs(lastBackup(settings.DATA_DIR) - Date.now() / 1000)).toBeLessThan(60)
  await inDatabase(settings, ({ write }) =>
    write.insertInto('datacenters').values({ name: 'Later', name_key: 'later', location: '' }).execute(),
  )
  const { previous = '' } = restore(settings, copy)
  expect(await datacentersOf(settings)).toEqual([])
  const earlier = new DatabaseSync(previous, { readOnly: true })
  expect(earlier.prepare('select name from datacenters').all()).toEqual([{ name: 'Later' }])
  earlier.close()
})

onSqlite('a database in use is not replaced', async () => {
  const { settings, copy } = await prepared()
  await backUp(settings, copy)
  await inDatabase(settings, async ({ read }) => {
    await read.selectFrom('datacenters').select('id').execute()
    expect(() => restore(settings, copy)).toThrow('is in use: stop the server first')
  })
  expect(restore(settings, copy).previous).toBeDefined()
})

onSqlite('a backup never overwrites a file, and fails for a folder without a database', async () => {
  const { settings, copy } = await prepared()
  writeFileSync(copy, 'something else')
  await expect(backUp(settings, copy)).rejects.toThrow('already exists')
  expect(readFileSync(copy, 'utf8')).toBe('something else')
  await expect(backUp(settings, join(copy, 'below a file.db'))).rejects.toThrow(
    'copy.db/below a file.db cannot be written: ENOTDIR',
  )
  await expect(backUp({ DATA_DIR: join(settings.DATA_DIR, 'nowhere') }, `${copy}2`)).rejects.toThrow(
    'There is no database',
  )
})

onSqlite('a restore refuses damaged files, other files and newer versions, and changes nothing', async () => {
  const { settings, copy } = await prepared()
  await backUp(settings, copy)
  const now = statSync(databaseFile(settings.DATA_DIR)).mtimeMs
  const other = (name: string) => join(settings.DATA_DIR, name)
  writeFileSync(other('text'), 'no database')
  expect(() => restore(settings, other('text'))).toThrow('is not a backup of a database of this console')
  expect(() => restore(settings, other('missing'))).toThrow('There is no file')
  const foreign = new DatabaseSync(other('foreign'))
  foreign.exec('create table migrations (version integer)')
  foreign.close()
  expect(() => restore(settings, other('foreign'))).toThrow('is not a backup of a database of this console')
  copyFileSync(copy, other('newer'))
  const newer = new DatabaseSync(other('newer'))
  newer.exec('insert into migrations (version, applied_at) values (9999, 0)')
  newer.close()
  expect(() => restore(settings, other('newer'))).toThrow('was made by a newer version')
  const bytes = readFileSync(copy)
  writeFileSync(other('torn'), bytes.subarray(0, bytes.length / 2))
  appendFileSync(other('torn'), Buffer.alloc(bytes.length / 2))
  expect(() => restore(settings, other('torn'))).toThrow(/is damaged|is not a backup/)
  expect(statSync(databaseFile(settings.DATA_DIR)).mtimeMs).toBe(now)
})

onSqlite('a restore writes into the directory of the database alone', async () => {
  const { settings, copy } = await prepared()
  await backUp(settings, copy)
  const outside = join(settings.DATA_DIR, 'another-file')
  symlinkSync(outside, `${databaseFile(settings.DATA_DIR)}.restored`)
  restore(settings, copy)
  expect(existsSync(outside)).toBe(false)
  expect(lstatSync(databaseFile(settings.DATA_DIR)).isFile()).toBe(true)
})

onPostgres('backup and restore of PostgreSQL name the tool to use', async () => {
  await expect(backUp(env(), 'copy')).rejects.toThrow('pg_dump --format=custom --file=copy "$DATABASE_URL"')
  expect(() => restore(env(), 'copy')).toThrow('pg_restore --clean --if-exists --dbname="$DATABASE_URL" copy')
})
