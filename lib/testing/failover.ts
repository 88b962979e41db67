import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiProcess, startApi } from '#lib/testing/api-process'
import { newPostgresServer, type PostgresServer } from '#lib/testing/postgres-server'
import { isAcknowledged, startLoad, until } from '#lib/testing/write-load'
import { inspect } from '#lib/testing/written'

/*
 * A fail-over from end to end: a primary and a replica that confirms each commit, the server of the API on both of them, and writes that
 * go on while the primary is killed and the replica takes its place.
 */

export type FailOver = {
  acknowledged: number
  /** Writes that are there afterwards, those included that were done and never acknowledged. */
  present: number
  /** What was acknowledged and is not there any more. */
  lost: string[]
  half: string[]
  /** From the end of the primary to the first write that was acknowledged after it, in milliseconds. */
  gap: number
  /** How often the answer was 503 in between; no other refusal is expected. */
  refused: number
  others: number[]
}

/** A primary and its synchronous replica, both running. */
async function startPair(): Promise<{ primary: PostgresServer; standby: PostgresServer }> {
  const primary = await newPostgresServer()
  await primary.start()
  const standby = await newPostgresServer({ replicaOf: primary })
  await standby.start()
  await primary.sql("alter system set synchronous_standby_names = 'standby'")
  await primary.sql('select pg_reload_conf()')
  await until(async () => {
    const rows = await primary.sql<{ sync_state: string }>('select sync_state from pg_stat_replication')
    return rows[0]?.sync_state === 'sync'
  })
  return { primary, standby }
}

/** Before and after the fail-over so many writes are acknowledged. */
export async function failOver(writes: number, tell: (line: string) => void = () => {}): Promise<FailOver> {
  const { primary, standby } = await startPair()
  const directory = mkdtempSync(join(tmpdir(), 'test-failover-'))
  tell(`A primary at ${primary.host}, a replica that confirms each commit at ${standby.host}`)
  const settings = {
    DATA_DIR: directory,
    DATABASE_URL: `postgres://postgres@${primary.host},${standby.host}/postgres`,
  }
  const server = await startApi(settings)
  try {
    return await failOverUnder(server, { primary, standby, writes, tell })
  } finally {
    await server.stop()
    await Promise.all([primary.remove(), standby.remove()])
    rmSync(directory, { recursive: true, force: true })
  }
}

type Under = {
  primary: PostgresServer
  standby: PostgresServer
  writes: number
  tell: (line: string) => void
}

async function failOverUnder(
  server: ApiProcess,
  { primary, standby, writes, tell }: Under,
): Promise<FailOver> {
  const load = await startLoad(() => server)
  await load.reaches(writes)
  await primary.kill()
  const killed = performance.now()
  tell(`The primary was killed after ${load.outcomes.filter(isAcknowledged).length} acknowledged writes`)
  await standby.sql('select pg_promote()')
  await load.reaches(writes, killed)
  await load.end()
  const acknowledged = load.outcomes.filter(isAcknowledged)
  const statuses = load.outcomes.map(({ status }) => status)
  return {
    ...(await inspect(server, load.outcomes)),
    acknowledged: acknowledged.length,
    gap: Math.min(...acknowledged.filter(({ began }) => began > killed).map(({ ended }) => ended)) - killed,
    refused: statuses.filter((status) => status === 503).length,
    others: statuses.filter((status) => ![200, 201, 503].includes(status)),
  }
}
