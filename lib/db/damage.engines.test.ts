import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { backUp, restore } from '#lib/db/backup.server'
import { env } from '#lib/ground/env.server'
import { ask, startApi, statusOf } from '#lib/tools/testing/api-process'
import { admin, codesOf } from '#lib/tools/testing/client'
import { damage } from '#lib/tools/testing/damaged'
import { migratedDatabase } from '#lib/tools/testing/own-database'

/* Only SQLite: PostgreSQL looks after its own files. The commands: lib/db/damage.engines.machine.test.ts. */
const onSqlite = test.runIf(env().DATABASE_URL === undefined)

const SLOW = { timeout: 300_000 }

onSqlite('a file that is no database is not copied, and a restore replaces it', async () => {
  const sound = await migratedDatabase()
  const copy = join(sound.DATA_DIR, 'copy.db')
  await backUp(sound, copy)
  const settings = await migratedDatabase()
  damage(settings, ['the file'])
  const other = join(settings.DATA_DIR, 'copy.db')
  await expect(backUp(settings, other)).rejects.toThrow(/^The database is damaged, so no copy was made: /)
  expect(existsSync(other)).toBe(false)
  const { previous = '' } = restore(settings, copy)
  expect(existsSync(previous)).toBe(true)
  await backUp(settings, other)
})

onSqlite('a request that meets damage gets 503, and /readyz from then on', SLOW, async () => {
  const settings = await migratedDatabase()
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
