import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type ApiProcess, startApi } from '#lib/tools/testing/api-process'
import { newPostgresServer, type PostgresServer } from '#lib/tools/testing/postgres-server'
import { BROKEN_OFF, isAcknowledged, startLoad, until } from '#lib/tools/testing/write-load'
import { inspect } from '#lib/tools/testing/written'

/*
 * A fail-over from end to end: a primary and a replica that confirms each commit, the server of the API on both of them, and writes that
 * go on while the primary is killed or stopped and the replica takes its place.
 */

/** A killed primary closes its connections, a stopped one does not. */
export type Failure = 'kill' | 'stop'

/** A promotion comes so long after a failure: tools wait before they are sure. */
const UNSURE = 5000

export type FailOver = {
  acknowledged: number
  /** Writes that are present at the end, including those that were never acknowledged. */
  present: number
  /** Acknowledged writes that are missing. */
  lost: string[]
  half: string[]
  /** From the promotion of the replica to the first write that was acknowledged after it, in milliseconds. */
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

/** Runs a fail-over, with this many acknowledged writes before and after it. */
export async function failOver(
  failure: Failure,
  writes: number,
  tell: (line: string) => void = () => {},
): Promise<FailOver> {
  const { primary, standby } = await startPair()
  const directory = mkdtempSync(join(tmpdir(), 'test-failover-'))
  tell(`A primary at ${primary.host}, a replica that confirms each commit at ${standby.host}`)
  const settings = {
    DATA_DIR: directory,
    DATABASE_URL: `postgres://postgres@${primary.host},${standby.host}/postgres`,
  }
  const server = await startApi(settings)
  try {
    return await failOverUnder(server, { failure, primary, standby, writes, tell })
  } finally {
    await server.stop()
    await Promise.all([primary.remove(), standby.remove()])
    rmSync(directory, { recursive: true, force: true })
  }
}

type Under = {
  failure: Failure
  primary: PostgresServer
  standby: PostgresServer
  writes: number
  tell: (line: string) => void
}

async function failOverUnder(
  server: ApiProcess,
  { failure, primary, standby, writes, tell }: Under,
): Promise<FailOver> {
  const load = await startLoad(() => server)
  await load.reaches(writes)
  const count = load.outcomes.filter(isAcknowledged).length
  if (failure === 'kill') await primary.kill()
  else primary.freeze()
  tell(`The primary was ${failure === 'kill' ? 'killed' : 'stopped'} after ${count} acknowledged writes`)
  if (failure === 'stop') await delay(UNSURE)
  await standby.sql('select pg_promote()')
  const promoted = performance.now()
  await load.reaches(writes, promoted)
  await load.end()
  if (failure === 'stop') primary.thaw()
  const acknowledged = load.outcomes.filter(isAcknowledged)
  const statuses = load.outcomes.map(({ status }) => status)
  return {
    ...(await inspect(server, load.outcomes)),
    acknowledged: acknowledged.length,
    gap:
      Math.min(...acknowledged.filter(({ began }) => began > promoted).map(({ ended }) => ended)) - promoted,
    refused: statuses.filter((status) => status === 503).length,
    others: statuses.filter((status) => ![200, 201, 503, BROKEN_OFF].includes(status)),
  }
}
