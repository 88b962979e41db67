import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { database } from '#lib/db/db.server'
import { ServerCursor } from '#lib/db/postgres.server'
import { env } from '#lib/ground/env.server'
import { call, expectStatus } from '#lib/tools/testing/client'
import { addIps, networksPath, newDatacenter, newNetwork } from '#lib/tools/testing/nat'
import { fewer, isLong } from '#lib/tools/testing/search'

const COUNT = fewer(20_000, 6000)

const { id: datacenter } = await newDatacenter()
await addIps(await newNetwork({ datacenter, cidr: '10.0.0.0/17' }), { count: COUNT })

const { id: small } = await newDatacenter()
await addIps(await newNetwork({ datacenter: small, cidr: '10.0.0.0/20' }), { count: 1200 })

const wholeOf = (id: number): string => `${networksPath(id)}/action/allips?limit=0`

const whole = wholeOf(datacenter)

/** More lists than the pool has connections. */
const MANY = 15

const openWhole = async (path = whole) => {
  const response = await call('GET', path)
  if (response.status !== 200 || !response.body) throw new Error(await response.text())
  return response.body.getReader()
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const heldMegabytes = (): number => {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1024 / 1024
}

describe('a long list with limit=0', { timeout: 60_000 }, () => {
  test('is complete, in order, with its total', async () => {
    const { collection, totalSize } = await expectStatus(200, call('GET', whole))
    expect(totalSize).toBe(COUNT)
    const last = 10 * 2 ** 24
    const values = collection.map(
      ({ ip }: { ip: string }) => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) - last,
    )
    expect(values).toEqual(Array.from({ length: COUNT }, (_, index) => index + 1))
  })

  test('is complete in XML and backwards too', async () => {
    const headers = { accept: 'application/xml' }
    const ipOf = (index: number) => `<ip>10.0.${Math.floor(index / 256)}.${index % 256}</ip>`
    const xml = await expectStatus(200, call('GET', `${whole}&asc=false`, { headers }))
    expect(xml.match(/<natip>/g)).toHaveLength(COUNT)
    expect(xml.indexOf(ipOf(COUNT))).toBeLessThan(xml.indexOf(ipOf(COUNT - 1)))
  })

  test('is never in memory as a whole while it is read', async () => {
    const reader = await openWhole()
    await reader.read()
    const before = heldMegabytes()
    let megabytes = 0
    let most = 0
    for (let index = 0, next = await reader.read(); !next.done; index += 1, next = await reader.read()) {
      megabytes += next.value.byteLength / 1024 / 1024
      if (index % (COUNT / 2000) === 0) most = Math.max(most, heldMegabytes() - before)
    }
    expect(megabytes).toBeGreaterThan(COUNT / 2000)
    expect(most).toBeLessThan(megabytes / 2)
  })

  test('closes its cursor when the client disconnects, however often', async () => {
    for (let index = 0; index < MANY; index += 1) {
      const reader = await openWhole()
      for (let read = 0; read < index % 4; read += 1) await reader.read()
      await reader.cancel()
    }
    await expectNoCursor()
  })

  test('leaves no cursor open after HEAD', async () => {
    for (let index = 0; index < MANY; index += 1) expect((await call('HEAD', whole)).status).toBe(200)
    await expectNoCursor()
  })

  test('is a snapshot of its start, and blocks no other reads and writes', async () => {
    const own = (await newDatacenter()).id
    await addIps(await newNetwork({ datacenter: own, cidr: '10.0.0.0/16' }), { count: 3000 })
    const reader = await openWhole(wholeOf(own))
    await reader.read()
    await reader.read()
    await addIps(await newNetwork({ datacenter: own, cidr: '11.0.0.0/24' }), { count: 3 })
    expect(await expectStatus(200, call('GET', `${wholeOf(own)}&limit=1`))).toMatchObject({ totalSize: 3003 })
    let text = ''
    const decoder = new TextDecoder()
    for (let next = await reader.read(); !next.done; next = await reader.read())
      text += decoder.decode(next.value)
    expect(text).toContain('"10.0.11.184"')
    expect(text).not.toContain('"11.0.0.1"')
    expect(text.endsWith('],"totalSize":3000}')).toBe(true)
  })
})

describe('many full exports at the same time', { timeout: 60_000 }, () => {
  test('are all complete', async () => {
    const lists = await Promise.all(
      Array.from({ length: isLong ? 30 : MANY }, () => expectStatus(200, call('GET', wholeOf(small)))),
    )
    for (const { collection } of lists) expect(collection).toHaveLength(1200)
  })

  test('do not block other requests while their clients are slow', async () => {
    const readers = await Promise.all(Array.from({ length: MANY }, () => openWhole(wholeOf(small))))
    // Some exports have a cursor now; the others still wait for a connection.
    const reads = readers.map((reader) => reader.read().then(() => reader.read()))
    await Promise.any(reads)
    await expectStatus(200, call('GET', `${wholeOf(small)}&limit=25`))
    await expectStatus(200, call('GET', `${wholeOf(small)}&limit=25&has=10.0`))
    await newDatacenter()
    await Promise.all(readers.map((reader) => reader.cancel()))
    await Promise.all(reads)
  })
})

/** Expects that no cursor holds a connection or, on SQLite, an old snapshot, which would prevent a checkpoint of the WAL. */
async function expectNoCursor(): Promise<void> {
  await newDatacenter()
  const lists = Array.from({ length: MANY }, () => call('GET', `${whole}&limit=1`))
  for (const { status } of await Promise.all(lists)) expect(status).toBe(200)
  if (database().engine !== 'sqlite') return
  const file = new DatabaseSync(join(env().DATA_DIR, 'console.db'))
  expect(file.prepare('pragma wal_checkpoint(truncate)').get()).toMatchObject({ busy: 0 })
  file.close()
}

/* On PostgreSQL a cursor reads the list: a lost connection must not look like the last row. */

type NumberRow = { n: number }
/** The methods that pg calls on a cursor. */
type PgCallbacks = { handleError: (error: Error) => void; handleReadyForQuery: () => void }

const { DATABASE_URL } = env()
const onPostgres = DATABASE_URL ? test : () => {}
const client = new pg.Client({ connectionString: DATABASE_URL })

if (DATABASE_URL) {
  beforeAll(() => client.connect())
  afterAll(() => client.end())
}

const open = (rows: number) =>
  client.query(
    new ServerCursor<NumberRow>(`select n from generate_series(1, ${rows}) as n`),
  ) as ServerCursor<NumberRow>

onPostgres('a cursor returns all rows, and then none', async () => {
  const cursor = open(3)
  expect([await cursor.read(2), await cursor.read(2)]).toEqual([[{ n: 1 }, { n: 2 }], [{ n: 3 }]])
  expect(await cursor.read(2)).toEqual([])
  const empty = open(0)
  expect(await empty.read(2)).toEqual([])
})

onPostgres('a cursor whose connection ends between two reads throws instead of ending the list', async () => {
  const cursor = open(3)
  await cursor.read(2)
  const callbacks = cursor as unknown as PgCallbacks
  callbacks.handleError(new Error('terminating connection due to administrator command'))
  callbacks.handleReadyForQuery()
  await expect(cursor.read(2)).rejects.toThrow('Connection terminated unexpectedly')
})
