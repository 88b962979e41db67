import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { closeDatabase, type Database, openDatabase } from '#lib/db/db.server'
import { isMigrated } from '#lib/db/migrate.server'
import { ownDatabase, type Settings } from '#lib/testing/own-database'

type Writer = { process: ChildProcess; acknowledged: number[]; reaches: (count: number) => Promise<void> }

function startWriter({ DATA_DIR, DATABASE_URL = '' }: Settings): Writer {
  const child = spawn(process.execPath, ['lib/testing/writer.ts'], {
    env: { ...process.env, DATA_DIR, DATABASE_URL },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const acknowledged: number[] = []
  const lines = createInterface({ input: child.stdout })
  const progress = new EventTarget()
  lines.on('line', (line) => {
    acknowledged.push(Number(line))
    progress.dispatchEvent(new Event('line'))
  })
  lines.on('close', () => progress.dispatchEvent(new Event('line')))
  const reaches = async (count: number) => {
    while (acknowledged.length < count) {
      if (child.exitCode !== null) throw new Error('the writer has ended by itself')
      await once(progress, 'line')
    }
  }
  return { process: child, acknowledged, reaches }
}

/** Ends the process as `kill -9` does, and waits until all that it printed is read. */
async function kill({ process: child }: Writer): Promise<void> {
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
  expect(child.signalCode).toBe('SIGKILL')
}

async function inDatabase<T>(settings: Settings, look: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(settings)
  try {
    return await look(database)
  } finally {
    await closeDatabase(database)
  }
}

const writtenIn = (settings: Settings): Promise<number[]> =>
  inDatabase(settings, async ({ read }) => {
    const rows = await read.selectFrom('datacenters').select('id').orderBy('id').execute()
    return rows.map(({ id }) => id)
  })

test('what was acknowledged is there after kill -9 in the middle of writes', {
  timeout: 180_000,
}, async () => {
  const settings = await ownDatabase()
  const acknowledged: number[] = []
  for (const count of [1, 40, 150]) {
    const writer = startWriter(settings)
    await writer.reaches(count)
    await kill(writer)
    acknowledged.push(...writer.acknowledged)
    const written = await writtenIn(settings)
    expect(written).toEqual(expect.arrayContaining(acknowledged))
    // At most the write that each killed process was about to acknowledge.
    expect(written.length - acknowledged.length).toBeLessThanOrEqual(3)
  }
})

test('two processes that start at once bring the database up once, and both write', {
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
