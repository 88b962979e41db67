import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type ApiProcess, ask, startApi } from '#lib/testing/api-process'
import { newPostgresServer, type PostgresServer } from '#lib/testing/postgres-server'
import { tokenOf } from '#lib/testing/session'
import { adminNick, adminPassword } from '#lib/testing/settings'

/*
 * A fail-over from end to end: a primary and a replica that confirms each commit, the server of the API on both of them, and writes that
 * go on while the primary is killed and the replica takes its place.
 */

const WRITERS = 4

export type FailOver = {
  acknowledged: number
  /** Writes that were acknowledged and are not there any more. */
  lost: string[]
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

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 30_000; !(await isSo()); await delay(20))
    if (Date.now() > deadline) throw new Error('it has taken too long')
}

type Outcome = { name: string; status: number; began: number; ended: number }

/** Creates one datacenter after the other, whatever is answered, until it is told to end. */
async function write(server: ApiProcess, writer: number, told: { outcomes: Outcome[]; end: boolean }) {
  const as = { nick: adminNick, password: adminPassword }
  const headers = { authorization: `Token ${tokenOf(await ask(server, '/api/login', { as }))}` }
  for (let count = 0; !told.end; count += 1) {
    const name = `Written ${writer}-${count}`
    const began = performance.now()
    const answer = await ask(server, '/api/admin/datacenters', { headers, body: { name, location: '' } })
    await answer.text()
    told.outcomes.push({ name, status: answer.status, began, ended: performance.now() })
    if (answer.status === 503) await delay(20)
  }
}

async function namesIn(server: ApiProcess): Promise<Set<string>> {
  const as = { nick: adminNick, password: adminPassword }
  const answer = await ask(server, '/api/admin/datacenters?limit=0', { as })
  const { collection } = (await answer.json()) as { collection: { name: string }[] }
  return new Set(collection.map(({ name }) => name))
}

const isWritten = ({ status }: Outcome): boolean => status === 201

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
  const told = { outcomes: [] as Outcome[], end: false }
  const { outcomes } = told
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(server, writer, told))
  const failed = Promise.all(writers).then(() => true)
  const after = (time: number) => outcomes.filter((each) => isWritten(each) && each.began > time)
  const reach = (time: number) => Promise.race([failed, until(() => after(time).length >= writes)])

  await reach(0)
  await primary.kill()
  const killed = performance.now()
  tell(`The primary was killed after ${outcomes.filter(isWritten).length} acknowledged writes`)
  await standby.sql('select pg_promote()')
  await reach(killed)
  told.end = true
  await failed
  const first = Math.min(...after(killed).map(({ ended }) => ended))
  const written = await namesIn(server)
  const acknowledged = outcomes.filter(isWritten)
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.map(({ name }) => name).filter((name) => !written.has(name)),
    gap: first - killed,
    refused: outcomes.filter(({ status }) => status === 503).length,
    others: outcomes.map(({ status }) => status).filter((status) => ![201, 503].includes(status)),
  }
}
