import { execFile } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { backUp, restore } from '#lib/db/backup.server'
import { closeDatabase, databaseFile, openDatabase } from '#lib/db/db.server'
import { isDamaged } from '#lib/db/dialect.server'
import { migrate } from '#lib/db/migrate.server'
import { env } from '#lib/env.server'
import { ask, startApi, statusOf } from '#lib/testing/api-process'
import { admin, codesOf } from '#lib/testing/client'
import { ownDatabase, type Settings } from '#lib/testing/own-database'
import { swept } from '#lib/testing/search'

/* Only SQLite: PostgreSQL looks after its own files. */
const onSqlite = env().DATABASE_URL ? () => {} : test

const SLOW = { timeout: 300_000 }

/** A migrated database, closed. */
async function prepared(): Promise<Settings> {
  const settings = await ownDatabase()
  const database = openDatabase(settings)
  await migrate(database)
  await closeDatabase(database)
  return settings
}

/** Overwrites the first page of these tables, or of the file. */
function damage({ DATA_DIR }: Settings, tables: readonly string[]): void {
  const file = databaseFile(DATA_DIR)
  const db = new DatabaseSync(file)
  const size = Number(db.prepare('pragma page_size').get()?.page_size)
  const pages = tables.map((table) =>
    Number(db.prepare('select rootpage from sqlite_schema where name = ?').get(table)?.rootpage ?? 1),
  )
  db.close()
  const handle = openSync(file, 'r+')
  for (const page of pages) writeSync(handle, Buffer.alloc(size, 0xff), 0, size, (page - 1) * size)
  closeSync(handle)
}

/** The commands for operators that open the database. */
const commands = [
  ...readFileSync('deploy/bin/cloud-console', 'utf8').matchAll(/^ {2}([a-z][a-z0-9-]*) .* {2}/gm),
]
  .map(([, name = '']) => name)
  .filter((name) => name !== 'gateway' && name !== 'version')

const run = ({ DATA_DIR }: Settings, command: string, parameters: string[]) =>
  new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(
      process.execPath,
      ['lib/scripts/run.js', command, ...parameters],
      { env: { ...process.env, DATA_DIR, DATABASE_URL: '', PORT: '0' } },
      (error, _stdout, stderr) => resolve({ code: error?.code ?? 0, said: stderr }),
    )
  })

onSqlite('every command for operators reports a damaged database in one line', SLOW, async () => {
  const settings = await prepared()
  damage(settings, ['users', 'events', 'event_seals'])
  const copy = join(settings.DATA_DIR, 'copy.db')
  const parametersOf = (command: string): string[] => {
    if (command.startsWith('reset-')) return ['--nick', admin.nick]
    if (command === 'restore') return [databaseFile(settings.DATA_DIR)]
    return command === 'backup' ? [copy] : []
  }
  expect(commands).toContain('verify-events')
  // All go through lib/scripts/run.js, but that one reads the pages itself.
  for (const command of new Set(['start', 'restore', 'verify-events', ...swept(commands, 3)])) {
    const { code, said } = await run(settings, command, parametersOf(command))
    expect(said, command).toMatch(/^[^\n]*damaged[^\n]*\n$/)
    expect(code, command).toBe(command === 'verify-events' ? 2 : 1)
  }
  expect(readdirSync(settings.DATA_DIR).filter((name) => name.startsWith('copy'))).toEqual([])
})

onSqlite('a changed event is not reported where a page is damaged', SLOW, async () => {
  const settings = await prepared()
  const db = new DatabaseSync(databaseFile(settings.DATA_DIR))
  db.exec(`insert into event_seals (number, first_event, last_transaction, last_event, events, newest, sealed_at, content, digest, entries)
    values (1, 1, 0, 1, 1, 0, 0, '', '', null)`)
  db.close()
  const { code: changed } = await run(settings, 'verify-events', [])
  damage(settings, ['racks'])
  const { code, said } = await run(settings, 'verify-events', [])
  expect([changed, code]).toEqual([1, 2])
  expect(said).toMatch(/^The database is damaged: [^\n]+\n$/)
})

onSqlite('a file that is no database is not copied, and a restore replaces it', async () => {
  const sound = await prepared()
  const copy = join(sound.DATA_DIR, 'copy.db')
  await backUp(sound, copy)
  const settings = await prepared()
  damage(settings, ['the file'])
  const other = join(settings.DATA_DIR, 'copy.db')
  await expect(backUp(settings, other)).rejects.toThrow(/^The database is damaged, so no copy was made: /)
  expect(existsSync(other)).toBe(false)
  const { previous = '' } = restore(settings, copy)
  expect(existsSync(previous)).toBe(true)
  await backUp(settings, other)
})

onSqlite('a request that meets damage gets 503, and /readyz from then on', SLOW, async () => {
  const settings = await prepared()
  damage(settings, ['webhooks'])
  const api = await startApi(settings)
  onTestFinished(async () => {
    await api.stop()
  })
  expect(await statusOf(ask(api, '/readyz'))).toBe(200)
  const answer = await ask(api, '/api/admin/webhooks', { as: admin })
  expect([answer.status, await codesOf(answer)]).toEqual([503, ['503-UNAVAILABLE']])
  const ready = await ask(api, '/readyz')
  expect([ready.status, await ready.text()]).toEqual([503, 'not ready: the database is damaged'])
})

test('isDamaged recognizes damage on both engines', () => {
  const failed = (codes: object) => Object.assign(new Error('failed'), codes)
  const damaged = [
    { code: 'ERR_SQLITE_ERROR', errcode: 267 },
    { code: 'ERR_SQLITE_ERROR', errcode: 26 },
    { code: 'XX001' },
  ]
  expect(damaged.map((codes) => isDamaged(failed(codes)))).toEqual([true, true, true])
  expect(
    [{ code: 'ERR_SQLITE_ERROR', errcode: 13 }, { code: '23505' }].map((codes) => isDamaged(failed(codes))),
  ).toEqual([false, false])
})
