import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { cachedUntilWrite } from '#lib/db/cache.server'
import { closeDatabase, database, openDatabase, type Trx, transaction } from '#lib/db/db.server'
import { dataVersion } from '#lib/db/dialect.server'
import { migrate } from '#lib/db/migrate.server'
import { env } from '#lib/ground/env.server'
import { unique } from '#lib/tools/testing/client'

beforeAll(() => migrate(database()))

let reads = 0
const read = (key: string) =>
  cachedUntilWrite(
    { sql: key, parameters: [] },
    () => 1,
    async () => {
      reads += 1
      return `${key} ${reads}`
    },
  )

const version = () => dataVersion(database().read, database().engine)

/** Runs the work, and repeats it with a new key if another test commits meanwhile. */
async function undisturbed(work: (key: string) => Promise<void>): Promise<void> {
  for (let [before, after] = ['', 'another']; before !== after; ) {
    reads = 0
    before = await version()
    await work(unique('key'))
    after = await version()
  }
}

test('a value that is requested repeatedly, or twice at once, is read once', async () => {
  let values: string[] = []
  await undisturbed(async (key) => {
    values = await Promise.all([read(key), read(key)])
    values.push(await read(key))
  })
  const [one] = values
  expect(values).toEqual([one, one, one])
  expect(reads).toBe(1)
})

const insert = (trx: Trx) =>
  trx
    .insertInto('ended_sessions')
    .values({ id: unique('ended'), expires_at: Date.now() })
    .execute()

test('a value is read again after any commit by this process or another', async () => {
  const another = openDatabase(env())
  onTestFinished(() => closeDatabase(another))
  const key = unique('key')
  const first = await read(key)
  await transaction(insert)
  const second = await read(key)
  expect(second).not.toBe(first)
  await another.write.transaction().execute(insert)
  expect(await read(key)).not.toBe(second)
})

test('a failure is not cached', async () => {
  const key = unique('key')
  const fails = () =>
    cachedUntilWrite(
      { sql: key, parameters: [] },
      () => 1,
      () => Promise.reject(new Error('nowhere')),
    )
  await expect(fails()).rejects.toThrow('nowhere')
  expect(await read(key)).toContain(key)
})
