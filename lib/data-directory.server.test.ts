import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { closeDataDirectory } from '#lib/data-directory.server'
import { backUp, restore } from '#lib/db/backup.server'
import { env } from '#lib/env.server'
import { startApi, statusOf } from '#lib/testing/api-process'

/* Who else has an account on the machine reads nothing, whatever the umask was when a file was made. */

const isEmbedded = !env().DATABASE_URL
const elsewhere = () => {}
const onSqlite = isEmbedded ? test : elsewhere

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8)

const modesIn = (directory: string): Record<string, string> =>
  Object.fromEntries([
    ['.', modeOf(directory)],
    ...readdirSync(directory).map((name) => [name, modeOf(join(directory, name))]),
  ])

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'test-modes-'))
  chmodSync(directory, 0o755)
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

/** Starts on this directory with a generous umask, looks at its files while all are open, and stops. */
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

onSqlite('a new DATA_DIR and all its files are for their owner alone', { timeout: 60_000 }, async () => {
  expect(await modesOfStart(join(newDirectory(), 'data'))).toEqual(closed)
})

onSqlite('what was left open before is closed at the start', { timeout: 60_000 }, async () => {
  const directory = join(newDirectory(), 'data')
  await modesOfStart(directory)
  chmodSync(directory, 0o777)
  for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o666)
  expect(await modesOfStart(directory)).toEqual(closed)
})

onSqlite(
  'copies, and what a restore leaves beside the database, are closed as well',
  { timeout: 60_000 },
  async () => {
    const parent = newDirectory()
    const settings = { DATA_DIR: join(parent, 'data'), DATABASE_URL: undefined }
    await modesOfStart(settings.DATA_DIR)
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

test("a directory that is everybody's, as /tmp is, stays so, and nothing but our files is touched", () => {
  const directory = newDirectory()
  chmodSync(directory, 0o1777)
  expect(closeDataDirectory(directory)).toEqual([])
  expect(modeOf(directory)).toBe('1777')
})
