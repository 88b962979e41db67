import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { database, transaction } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { ask, startApi } from '#lib/tools/testing/api-process'
import { admin, newEnterprise } from '#lib/tools/testing/client'

/* A killed process leaves no statement behind that holds locks until its timeout. */

const waiting = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(database().read)
  return Number(rows[0]?.count)
}

const { DATA_DIR, DATABASE_URL } = env()
const onPostgres = test.runIf(DATABASE_URL !== undefined)

onPostgres('the statements of a killed process end within seconds', { timeout: 60_000 }, async () => {
  const { id, name } = await newEnterprise()
  const server = await startApi({ DATA_DIR, DATABASE_URL })
  await transaction(async (trx) => {
    await trx.updateTable('enterprises').set({ properties: '{}' }).where('id', '=', id).execute()
    const path = `/api/admin/enterprises/${id}`
    const body = { name: `${name} renamed`, twoFactorAuthenticationMandatory: false }
    const change = ask(server, path, { as: admin, body }, 'PUT').catch(() => undefined)
    while ((await waiting()) === 0) await delay(20)
    server.process.kill('SIGKILL')
    await change
    const began = performance.now()
    while ((await waiting()) > 0) await delay(50)
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})
