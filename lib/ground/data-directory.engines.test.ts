import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backUp } from '#lib/db/backup.server'
import { closeDatabase, openDatabase } from '#lib/db/db.server'
import { migrate } from '#lib/db/migrate.server'
import { closeDataDirectory, makeDataDirectory } from '#lib/ground/data-directory.server'
import { env } from '#lib/ground/env.server'
import { modeOf, modesIn, newDirectory } from '#lib/tools/testing/modes'

/*
 * Other accounts on the machine can read no files of the server, whatever the umask was at their creation. The files after a start:
 * lib/ground/data-directory.engines.machine.test.ts.
 */

const isEmbedded = !env().DATABASE_URL
const skipped = () => {}
const onSqlite = isEmbedded ? test : skipped

onSqlite(
  'only the owner can access a new database and its backup, also after the directory was open',
  async () => {
    const parent = newDirectory()
    const settings = { DATA_DIR: join(parent, 'data'), DATABASE_URL: undefined }
    const files = ['console.db', 'console.db-shm', 'console.db-wal', 'last-backup']
    const closed = { '.': '700', ...Object.fromEntries(files.map((file) => [file, '600'])) }
    const before = process.umask(0)
    const database = openDatabase(settings)
    try {
      makeDataDirectory(settings.DATA_DIR)
      await migrate(database)
      await backUp(settings, join(parent, 'copy.db'))
      expect(modeOf(join(parent, 'copy.db'))).toBe('600')
      expect(modesIn(settings.DATA_DIR)).toEqual(closed)
      chmodSync(settings.DATA_DIR, 0o777)
      for (const name of readdirSync(settings.DATA_DIR)) chmodSync(join(settings.DATA_DIR, name), 0o666)
      expect(closeDataDirectory(settings.DATA_DIR)).toEqual([])
      expect(modesIn(settings.DATA_DIR)).toEqual(closed)
    } finally {
      process.umask(before)
      await closeDatabase(database)
    }
  },
)

test('the permissions of a shared directory such as /tmp stay unchanged', () => {
  const directory = newDirectory()
  chmodSync(directory, 0o1777)
  expect(closeDataDirectory(directory)).toEqual([])
  expect(modeOf(directory)).toBe('1777')
})
