import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { closeDatabase, database, openDatabase } from '#lib/db/db.server'
import { isUnreachable } from '#lib/db/dialect.server'
import { env } from '#lib/ground/env.server'
import { freePort } from '#lib/tools/testing/free-port'
import { addressByTcp } from '#lib/tools/testing/own-database'

const { DATA_DIR, DATABASE_URL } = env()
const onPostgres = test.runIf(DATABASE_URL !== undefined)
const SLOW = { timeout: 120_000 }

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

onPostgres('a read that joins an attempt to connect is not refused with it', async () => {
  const { host, port, href } = new URL(addressByTcp())
  const held: Socket[] = []
  const proxy = createServer((socket) => {
    socket.on('error', () => {})
    if (held.push(socket) === 1) return
    const onward = connect(Number(port), '127.0.0.1')
    onward.on('error', () => socket.destroy())
    socket.pipe(onward).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const through = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const database = openDatabase({ DATA_DIR, DATABASE_URL: href.replace(host, through) })
  const found = () => sql<{ found: number }>`select 1 as found`.execute(database.read)
  try {
    const first = found().catch((error: unknown) => error)
    await expect.poll(() => held.length).toBe(1)
    const joined = found()
    held[0]?.destroy()
    expect(isUnreachable(await first)).toBe(true)
    expect((await joined).rows).toEqual([{ found: 1 }])
  } finally {
    await closeDatabase(database)
    proxy.close()
  }
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
    // The startup parameters that PgBouncer accepts without ignore_startup_parameters.
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
