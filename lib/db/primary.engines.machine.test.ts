import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '#lib/db/db.server'
import { isUnreachable } from '#lib/db/dialect.server'
import { env } from '#lib/ground/env.server'
import { failOver } from '#lib/tools/testing/failover'
import { startLink } from '#lib/tools/testing/link'
import { addressByTcp } from '#lib/tools/testing/own-database'
import { newPostgresServer } from '#lib/tools/testing/postgres-server'

/* A primary that is lost. An embedded database is in the process. */

const { DATA_DIR, DATABASE_URL } = env()
const onPostgres = test.runIf(DATABASE_URL !== undefined)
const SLOW = { timeout: 120_000 }

onPostgres('a silent primary is left once another host is the primary', SLOW, async () => {
  const target = Number(addressByTcp().port)
  const [old, promoted] = [await startLink(target), await startLink(target)]
  await promoted.refuse()
  const url = addressByTcp()
  const hosts = `127.0.0.1:${old.port},127.0.0.1:${promoted.port}`
  const database = openDatabase({ DATA_DIR, DATABASE_URL: url.href.replace(url.host, hosts) })
  const one = (db: Db) => sql`select 1`.execute(db).then(({ rows }) => rows.length)
  const failing = (db: Db) => one(db).catch((error: unknown) => isUnreachable(error))
  try {
    expect(await Promise.all([one(database.read), one(database.write)])).toEqual([1, 1])
    old.silence()
    const waiting = Array.from({ length: 20 }, (_, index) =>
      failing(index % 2 ? database.read : database.write),
    )
    await promoted.accept()
    const began = performance.now()
    // Queries already sent fail. Queries that wait for a connection get one to the new primary.
    for (const outcome of await Promise.all(waiting)) expect([true, 1]).toContain(outcome)
    expect(await Promise.all([one(database.read), one(database.write)])).toEqual([1, 1])
    expect(performance.now() - began).toBeLessThan(20_000)
  } finally {
    await closeDatabase(database)
    await Promise.all([old.close(), promoted.close()])
  }
})

onPostgres(
  'after a failover the same process continues to write, and no acknowledged write is lost',
  SLOW,
  async () => {
    const { acknowledged, lost, half, gap, others } = await failOver('kill', 20)
    expect(acknowledged).toBeGreaterThanOrEqual(40)
    expect({ lost, half, others }).toEqual({ lost: [], half: [], others: [] })
    expect(gap).toBeLessThan(20_000)
  },
)

onPostgres('a commit whose wait for the replica was cancelled is not acknowledged', SLOW, async () => {
  const server = await newPostgresServer()
  await server.start()
  const database = openDatabase({ DATA_DIR, DATABASE_URL: server.url })
  try {
    await sql`create table written (id int)`.execute(database.write)
    await server.sql("alter system set synchronous_standby_names = 'nobody'")
    await server.sql('select pg_reload_conf()')
    const write = database.write
      .transaction()
      .execute((trx) => sql`insert into written values (1)`.execute(trx))
      .catch((error: unknown) => error)
    await expect
      .poll(() =>
        server.sql("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"),
      )
      .toHaveLength(1)
    expect(isUnreachable(await write)).toBe(true)
    // Other transactions on the connection are not affected.
    const { rows } = await sql`select id from written`.execute(database.write)
    expect(rows).toEqual([{ id: 1 }])
  } finally {
    await closeDatabase(database)
    await server.remove()
  }
})
