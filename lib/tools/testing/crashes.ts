import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { databaseFile } from '#lib/db/db.server'
import type { Engine } from '#lib/db/dialect.server'
import { type ApiProcess, ask, startApi } from '#lib/tools/testing/api-process'
import { type Follower, follow } from '#lib/tools/testing/follower'
import type { Settings } from '#lib/tools/testing/own-database'
import { newPostgresServer, type PostgresServer } from '#lib/tools/testing/postgres-server'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'
import { BROKEN_OFF, isAcknowledged, type Load, startLoad, until } from '#lib/tools/testing/write-load'
import { inspect } from '#lib/tools/testing/written'

/*
 * `kill -9` in the middle of writes, again and again: of the server, and with PostgreSQL by turns of the database, which the server has
 * to find again.
 */

export type Crashes = {
  acknowledged: number
  present: number
  lost: string[]
  half: string[]
  /** Created datacenters that the stream of events left out or had in another order than the database. */
  missed: string[]
  disordered: number
  /** From each start after a kill to the first write that was acknowledged, in milliseconds. */
  starts: { server: number[]; database: number[] }
  /** Answers that were neither an acknowledgement nor 503, nor broken off by a kill. */
  others: number[]
}

export async function crashes(
  engine: Engine,
  kills: number,
  tell: (line: string) => void = () => {},
): Promise<Crashes> {
  const directory = mkdtempSync(join(tmpdir(), 'test-crashes-'))
  const database = engine === 'postgres' ? await newPostgresServer() : undefined
  await database?.start()
  const settings = { DATA_DIR: directory, DATABASE_URL: database?.url }
  const place: RunningServer = { settings, database, server: await startApi(settings) }
  try {
    return await crashIn(place, kills, tell)
  } finally {
    await place.server.stop()
    await database?.remove()
    rmSync(directory, { recursive: true, force: true })
  }
}

type RunningServer = { settings: Settings; database: PostgresServer | undefined; server: ApiProcess }

async function crashIn(place: RunningServer, kills: number, tell: (line: string) => void): Promise<Crashes> {
  const starts: Crashes['starts'] = { server: [], database: [] }
  const load = await startLoad(() => place.server)
  const follower = follow(() => place.server)
  for (let count = 1; count <= kills; count += 1) {
    await load.reaches(1 + ((count * 7) % 40), performance.now())
    const who = place.database && count % 2 === 0 ? 'database' : 'server'
    const took = who === 'server' ? await killServer(place, load) : await killDatabase(place, load)
    starts[who].push(took)
    tell(`${count}: ${who} killed, writes again ${Math.round(took)} ms after its start`)
  }
  await load.end()
  const feed = await inspectFeed(place, follower)
  if (!place.database) requireSound(place.settings)
  return {
    ...(await inspect(place.server, load.outcomes)),
    acknowledged: load.outcomes.filter(isAcknowledged).length,
    ...feed,
    starts,
    others: load.outcomes
      .map(({ status }) => status)
      .filter((status) => ![0, 200, 201, 503, BROKEN_OFF].includes(status)),
  }
}

/** The stream has everything within seconds after the last kill. */
async function inspectFeed(
  { server, database }: RunningServer,
  follower: Follower,
): Promise<Pick<Crashes, 'missed' | 'disordered'>> {
  const as = { nick: adminNick, password: adminPassword }
  const path = '/api/events?entity=datacenter&action=create&by=id&asc=true&limit=0'
  const { collection } = (await (await ask(server, path, { as })).json()) as {
    collection: { entityName: string }[]
  }
  const committed = await database?.sql<{ name: string }>(`select entity_name as name from events
    where entity_type = 'datacenter' and action = 'create' order by transaction_number, id`)
  const names = committed?.map(({ name }) => name) ?? collection.map(({ entityName }) => entityName)
  const missed = () => names.filter((name) => !follower.names.has(name))
  await until(() => missed().length === 0).catch(() => {})
  await follower.end()
  const delivered = [...follower.names]
  return { missed: missed(), disordered: names.filter((name, place) => delivered[place] !== name).length }
}

/** The places that streams of a killed server would hold for a while. */
async function freeStreams({ settings, database }: RunningServer): Promise<void> {
  if (database) {
    await database.sql('delete from event_streams').catch(() => {})
    return
  }
  const file = new DatabaseSync(databaseFile(settings.DATA_DIR))
  file.exec('delete from event_streams')
  file.close()
}

async function killServer(place: RunningServer, load: Load): Promise<number> {
  const { process } = place.server
  const ended = once(process, 'exit')
  process.kill('SIGKILL')
  await ended
  await freeStreams(place)
  const began = performance.now()
  place.server = await startApi(place.settings)
  await load.reaches(1, began)
  return performance.now() - began
}

/** It cannot start before the last process of the one before has gone. */
async function killDatabase({ database }: RunningServer, load: Load): Promise<number> {
  await database?.kill()
  let began = performance.now()
  await until(async () => {
    began = performance.now()
    const isStarted = await database?.start().then(
      () => true,
      () => false,
    )
    return isStarted === true
  })
  await load.reaches(1, began)
  return performance.now() - began
}

/** Throws where the file is damaged. */
function requireSound({ DATA_DIR }: Settings): void {
  const file = new DatabaseSync(databaseFile(DATA_DIR), { readOnly: true })
  const [sound] = file.prepare('pragma integrity_check').all()
  const astray = file.prepare('pragma foreign_key_check').all()
  file.close()
  if (sound?.integrity_check !== 'ok' || astray.length > 0) throw new Error('the database is damaged')
}
