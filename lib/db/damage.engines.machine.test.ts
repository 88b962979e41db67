import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { databaseFile } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { admin } from '#lib/tools/testing/client'
import { damage } from '#lib/tools/testing/damaged'
import type { Settings } from '#lib/tools/testing/own-database'
import { migratedDatabase } from '#lib/tools/testing/own-database'
import { swept } from '#lib/tools/testing/search'

/* The commands with a damaged database. Only SQLite: PostgreSQL looks after its own files. */
const onSqlite = test.runIf(env().DATABASE_URL === undefined)

const SLOW = { timeout: 300_000 }

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
      ['lib/tools/scripts/run.js', command, ...parameters],
      { env: { ...process.env, DATA_DIR, DATABASE_URL: '', PORT: '0' } },
      (error, _stdout, stderr) => resolve({ code: error?.code ?? 0, said: stderr }),
    )
  })

onSqlite('every command for operators reports a damaged database in one line', SLOW, async () => {
  const settings = await migratedDatabase()
  damage(settings, ['users', 'events', 'event_seals'])
  const copy = join(settings.DATA_DIR, 'copy.db')
  const parametersOf = (command: string): string[] => {
    if (command.startsWith('reset-')) return ['--nick', admin.nick]
    if (command === 'restore') return [databaseFile(settings.DATA_DIR)]
    return command === 'backup' ? [copy] : []
  }
  expect(commands).toContain('verify-events')
  // All go through lib/tools/scripts/run.js, but that one reads the pages itself.
  for (const command of new Set(['start', 'restore', 'verify-events', ...swept(commands, 3)])) {
    const { code, said } = await run(settings, command, parametersOf(command))
    expect(said, command).toMatch(/^[^\n]*damaged[^\n]*\n$/)
    expect(code, command).toBe(command === 'verify-events' ? 2 : 1)
  }
  expect(readdirSync(settings.DATA_DIR).filter((name) => name.startsWith('copy'))).toEqual([])
})

onSqlite('a changed event is not reported where a page is damaged', SLOW, async () => {
  const settings = await migratedDatabase()
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
