import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { isMigrated } from '#lib/db/migrate.server'
import { env } from '#lib/ground/env.server'
import { crashes } from '#lib/tools/testing/crashes'
import { inDatabase, ownDatabase, type Settings } from '#lib/tools/testing/own-database'
import { kill, startWriter } from '#lib/tools/testing/writing'

const writtenIn = (settings: Settings): Promise<number[]> =>
  inDatabase(settings, async ({ read }) => {
    const rows = await read.selectFrom('datacenters').select('id').orderBy('id').execute()
    return rows.map(({ id }) => id)
  })

test('after kill -9 during writes every acknowledged write is present and in the stream of events, and none is incomplete', {
  timeout: 180_000,
}, async () => {
  const engine = env().DATABASE_URL ? 'postgres' : 'sqlite'
  const { acknowledged, present, ...found } = await crashes(engine, 2)
  expect(found).toMatchObject({ lost: [], half: [], others: [], missed: [], disordered: 0 })
  expect(acknowledged).toBeGreaterThanOrEqual(2)
  expect(present).toBeGreaterThanOrEqual(acknowledged)
})

test('two processes that start at once migrate the database once, and both can write', {
  timeout: 180_000,
}, async () => {
  const settings = await ownDatabase()
  const writers = [startWriter(settings), startWriter(settings)]
  await Promise.all(writers.map(({ reaches }) => reaches(20)))
  await Promise.all(writers.map(kill))
  const acknowledged = writers.flatMap((writer) => writer.acknowledged)
  expect(await writtenIn(settings)).toEqual(expect.arrayContaining(acknowledged))
  await inDatabase(settings, async (database) => {
    expect(await isMigrated(database)).toBe(true)
    const { rows } = await sql`select version from migrations`.execute(database.read)
    expect(rows).toEqual(rows.map((_, index) => ({ version: index + 1 })))
    const users = await database.read.selectFrom('users').select('nick').execute()
    expect(users).toEqual([{ nick: 'admin' }])
    expect(await database.read.selectFrom('enterprises').select('name').execute()).toHaveLength(1)
    expect(await database.read.selectFrom('roles').select('name').execute()).toHaveLength(4)
  })
})
