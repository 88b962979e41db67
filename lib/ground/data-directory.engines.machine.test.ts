import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backUp, restore } from '#lib/db/backup.server'
import { env } from '#lib/ground/env.server'
import { startApi, statusOf } from '#lib/tools/testing/api-process'
import { modeOf, modesIn, newDirectory } from '#lib/tools/testing/modes'

/* Other accounts on the machine can read nothing, with any umask at the creation of a file. */

const onSqlite = test.runIf(env().DATABASE_URL === undefined)

/** Starts the server with umask 0 on this directory, and returns the modes of its files while it runs. */
async function modesOfStart(DATA_DIR: string): Promise<Record<string, string>> {
  const before = process.umask(0)
  const starting = startApi({ DATA_DIR, DATABASE_URL: undefined }, { SECRET_KEY: '' })
  process.umask(before)
  const server = await starting
  expect(await statusOf(fetch(`${server.url}/readyz`))).toBe(200)
  const modes = modesIn(DATA_DIR)
  expect(await server.stop()).toBe(0)
  return modes
}

const closed = {
  '.': '700',
  'console.db': '600',
  'console.db-shm': '600',
  'console.db-wal': '600',
  'secret.key': '600',
}

onSqlite(
  'only the owner can access a new DATA_DIR, one that was open, backups, and the files that a restore keeps',
  { timeout: 120_000 },
  async () => {
    const parent = newDirectory()
    const settings = { DATA_DIR: join(parent, 'data'), DATABASE_URL: undefined }
    expect(await modesOfStart(settings.DATA_DIR)).toEqual(closed)
    chmodSync(settings.DATA_DIR, 0o777)
    for (const name of readdirSync(settings.DATA_DIR)) chmodSync(join(settings.DATA_DIR, name), 0o666)
    expect(await modesOfStart(settings.DATA_DIR)).toEqual(closed)
    const copy = join(parent, 'copy.db')
    const before = process.umask(0)
    try {
      await backUp(settings, copy)
      expect(modeOf(copy)).toBe('600')
      chmodSync(copy, 0o644)
      chmodSync(join(settings.DATA_DIR, 'console.db'), 0o644)
      restore(settings, copy)
    } finally {
      process.umask(before)
    }
    const modes = modesIn(settings.DATA_DIR)
    expect(Object.keys(modes).filter((name) => name.startsWith('console.db'))).toHaveLength(2)
    for (const [name, mode] of Object.entries(modes))
      expect([name, mode]).toEqual([name, name === '.' ? '700' : '600'])
  },
)
