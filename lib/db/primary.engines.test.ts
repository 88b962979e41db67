import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { closeDatabase, type Db, database, openDatabase } from '#lib/db/db.server'
import { isUnreachable } from '#lib/db/dialect.server'
import { env } from '#lib/env.server'
import { failingStart } from '#lib/testing/api-process'
import { failOver } from '#lib/testing/failover'
import { freePort } from '#lib/testing/free-port'
import { startLink } from '#lib/testing/link'
import { newPostgresServer } from '#lib/testing/postgres-server'

const { DATA_DIR, DATABASE_URL } = env()
const onPostgres = DATABASE_URL ? test : () => {}
const SLOW = { timeout: 120_000 }

/** The address of the test database by TCP: a socket is no host. */
function addressByTcp(): URL {
  const url = new URL(DATABASE_URL ?? '')
  url.searchParams.delete('host')
  return url
}

/** The address of the test database, with these hosts before its own. */
const behind = (...hosts: string[]): string => {
  const url = addressByTcp()
  return url.href.replace(url.host, [...hosts, url.host].join(','))
}

const closedPort = async () => `127.0.0.1:${await freePort()}`

onPostgres('the database is found at any position in the list of hosts', async () => {
  const database = openDatabase({ DATA_DIR, DATABASE_URL: behind(await closedPort(), await closedPort()) })
  try {
    for (const db of [database.read, database.stream]) {
      const { rows } = await sql<{ found: number }>`select 1 as found`.execute(db)
      expect(rows).toEqual([{ found: 1 }])
    }
  } finally {
    await closeDatabase(database)
  }
})

onPostgres('the connection of the reads is replaced when it is lost', async () => {
  const { read, write } = database()
  const pid = async () =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(read)).rows[0]?.pid
  const [first, other] = await Promise.all([pid(), pid()])
  expect(other).toBe(first)
  const lost = sql`select pg_sleep(60)`.execute(read).catch((error: unknown) => error)
  await sql`select pg_terminate_backend(${first})`.execute(write)
  expect(isUnreachable(await lost)).toBe(true)
  await expect.poll(pid).not.toBe(first)
})

onPostgres('no query is compiled: that takes longer than most queries', async () => {
  const { read, scan } = database()
  for (const db of [read, scan]) {
    const { rows } = await sql`show jit`.execute(db)
    expect(rows).toEqual([{ jit: 'off' }])
  }
})

onPostgres('the server ends a query that takes too long, and the request may be repeated', async () => {
  const { read } = database()
  const { rows } = await sql`show statement_timeout`.execute(read)
  expect(rows).toEqual([{ statement_timeout: '2min' }])
  const failure = await read.connection().execute(async (db) => {
    await sql`set statement_timeout = 20`.execute(db)
    const slept = await sql`select pg_sleep(10)`.execute(db).catch((error: unknown) => error)
    await sql`set statement_timeout = '2min'`.execute(db)
    return slept
  })
  expect(failure).toMatchObject({ code: '57014' })
  expect(isUnreachable(failure)).toBe(true)
})

onPostgres('a pooler that knows few parameters of connections takes them', SLOW, async () => {
  const asked = Promise.withResolvers<string[]>()
  const pooler = createServer((socket) => {
    socket.once('data', (startup) => {
      const names = startup.subarray(8).toString().split('\0')
      asked.resolve(names.filter((name, at) => at % 2 === 0 && name !== ''))
      socket.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  const { port } = pooler.address() as AddressInfo
  const database = openDatabase({ DATA_DIR, DATABASE_URL: `postgres://user@127.0.0.1:${port}/console` })
  try {
    await sql`select 1`.execute(database.write).catch(() => {})
    // What PgBouncer takes without ignore_startup_parameters.
    expect((await asked.promise).sort()).toEqual(['application_name', 'client_encoding', 'database', 'user'])
  } finally {
    await closeDatabase(database)
    pooler.close()
  }
})

onPostgres('a pooler that has lost its server counts as an unreachable database', async () => {
  const failure = await sql`do $$ begin raise 'server conn crashed?' using errcode = '08P01'; end $$`
    .execute(database().write)
    .catch((error: unknown) => error)
  expect(isUnreachable(failure)).toBe(true)
})

onPostgres('a read-only host is not used, not even as the only one', async () => {
  const url = addressByTcp()
  url.searchParams.set('options', '-c default_transaction_read_only=on')
  const two = url.href.replace(url.host, `${url.host},${await closedPort()}`)
  for (const reading of [url.href, two]) {
    const database = openDatabase({ DATA_DIR, DATABASE_URL: reading })
    try {
      const failure = await sql`select 1`.execute(database.read).catch((error: unknown) => error)
      expect(isUnreachable(failure)).toBe(true)
    } finally {
      await closeDatabase(database)
    }
  }
})

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
    // Queries that were sent fail, and those that wait for a connection get one to the new primary.
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

test('an unreachable database stops the start with one line', SLOW, async () => {
  const address = `postgres://user:a-password@${await closedPort()},${await closedPort()}/console`
  const { code, said } = await failingStart({ DATA_DIR, DATABASE_URL: address })
  expect(code).toBe(1)
  expect(said).toMatch(/^The database of DATABASE_URL cannot be reached: .+\n$/)
  expect(said).not.toContain('a-password')
})

test(
  'an unreadable certificate file stops the start with one line that names the setting',
  SLOW,
  async () => {
    const address = 'postgres://user:a-password@one/console?sslrootcert=/nowhere.pem'
    const { code, said } = await failingStart({ DATA_DIR, DATABASE_URL: address })
    expect(code).toBe(1)
    expect(said).toMatch(/^Setting DATABASE_URL: ENOENT.+\n$/)
  },
)
