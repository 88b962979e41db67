import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { database } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import type { JobDocument } from '#lib/record/jobs/jobs.schema'
import { type ApiProcess, ask, startApi } from '#lib/tools/testing/api-process'
import { admin, expectStatus, forgetDatabase } from '#lib/tools/testing/client'
import { eventsOf } from '#lib/tools/testing/inventory'
import { addManyIps, type Network, networksPath, newDatacenter, newNetwork } from '#lib/tools/testing/nat'

/* `kill -9` of the process that works on a job: no row is changed twice or left out, and the job leaves one event. */

/** `TEST_KILLS=100` kills so often, in a job of as many rows more. */
const KILLS = Number(process.env.TEST_KILLS ?? 2)
const ROWS = Math.max(30_000, KILLS * 5000)
/** After each kill the claim has to expire. */
const timeout = 300_000 + KILLS * 60_000

const servers: ApiProcess[] = []

const start = async (): Promise<ApiProcess> => {
  const { DATA_DIR, DATABASE_URL } = env()
  const server = await startApi({ DATA_DIR, DATABASE_URL })
  servers.push(server)
  return server
}

async function kill(server: ApiProcess): Promise<void> {
  const ended = once(server.process, 'exit')
  server.process.kill('SIGKILL')
  await ended
  servers.splice(servers.indexOf(server), 1)
}

afterEach(async () => {
  for (const server of [...servers]) await kill(server)
})

const newPlace = async (): Promise<Network> => {
  const { id: datacenter } = await newDatacenter()
  const network = await newNetwork({ datacenter, cidr: '10.0.0.0/8' })
  await addManyIps(network, ROWS)
  await forgetDatabase()
  return network
}

const begin = (server: ApiProcess, { datacenter }: Network, quarantine = true): Promise<JobDocument> =>
  expectStatus(
    202,
    ask(server, `${networksPath(datacenter)}/action/changeips`, {
      as: admin,
      body: { filter: '', quarantine },
      headers: { prefer: 'respond-async' },
    }),
  )

const read = (server: ApiProcess, { id }: { id: number }): Promise<JobDocument> =>
  expectStatus(200, ask(server, `/api/jobs/${id}`, { as: admin }))

async function reaches(server: ApiProcess, job: JobDocument, wanted: number) {
  for (;;) {
    const { done = 0, state } = await read(server, job)
    if (done >= wanted) return { done, state }
    await delay(5)
  }
}

/** Each job has put all IPs in quarantine, or taken them out again. */
async function requireWhole(place: Network, jobs = 1): Promise<void> {
  const rows = database().read.selectFrom('nat_ips').where('nat_network_id', '=', place.id).select('id')
  expect(await rows.where('quarantine', '=', jobs % 2 === 1 ? 1 : 0).execute()).toHaveLength(ROWS)
  const changes = await database()
    .read.selectFrom('past_rows')
    .where('source', '=', 'nat_ips')
    .where('id', 'in', rows)
    .where('content', 'is not', null)
    .select('id')
    .execute()
  expect(changes).toHaveLength(ROWS * jobs)
  const [, ...events] = await eventsOf('datacenter', place.datacenter)
  const counts = events.map((event: { changes: { count: { after: string } } }) => event.changes.count.after)
  expect(counts).toEqual(Array(jobs).fill(String(ROWS)))
}

test('a job goes on after its process was killed', { timeout }, async () => {
  const place = await newPlace()
  let server = await start()
  const job = await begin(server, place)
  for (let kills = 1; kills <= KILLS; kills += 1) {
    const { state, done } = await reaches(server, job, (kills * ROWS) / (KILLS + 1))
    await kill(server)
    expect(state).toBe('running')
    server = await start()
    const began = performance.now()
    await reaches(server, job, done + 1)
    expect(performance.now() - began).toBeLessThan(30_000)
  }
  while ((await read(server, job)).state !== 'done') await delay(50)
  expect(await read(server, job)).toMatchObject({ done: ROWS, total: ROWS, refused: 0 })
  await kill(server)
  await requireWhole(place)
})

test('a process that ends leaves its job to the next one at once', { timeout: 300_000 }, async () => {
  const place = await newPlace()
  const first = await start()
  const job = await begin(first, place)
  await reaches(first, job, ROWS / 4)
  servers.splice(servers.indexOf(first), 1)
  expect(await first.stop()).toBe(0)
  const jobs = database().read.selectFrom('jobs').where('jobs.id', '=', job.id).select('state')
  expect(await jobs.executeTakeFirst()).toEqual({ state: 'running' })
  expect(await database().read.selectFrom('job_claims').select('job_id').execute()).toEqual([])
  const next = await start()
  while ((await read(next, job)).state === 'running') await delay(50)
  await kill(next)
  await requireWhole(place)
})

if (env().DATABASE_URL)
  test('a job goes on in another process, and two at once change no row twice', { timeout }, async () => {
    const place = await newPlace()
    let [one, other] = [await start(), await start()]
    let kills = 0
    let jobs = 0
    const beginNext = () => begin(one, place, ++jobs % 2 === 1)
    while (kills < KILLS) {
      const job = await beginNext()
      let { state, done } = await reaches(other, job, 1)
      while (state === 'running' && kills < KILLS) {
        await kill(one)
        const began = performance.now()
        await reaches(other, job, Math.min(done + 1, ROWS))
        expect(performance.now() - began).toBeLessThan(30_000)
        kills += 1
        // The next one to be killed is the one that has worked since.
        one = other
        other = await start()
        ;({ state, done } = await reaches(other, job, 0))
      }
      while (state === 'running') ({ state } = await reaches(other, job, 0))
    }
    // Without its claim, a third process takes the job up beside the second.
    await start()
    const job = await beginNext()
    while ((await read(other, job)).state !== 'done') {
      await database().write.deleteFrom('job_claims').execute()
      await delay(100)
    }
    expect(await read(other, job)).toMatchObject({ done: ROWS, refused: 0 })
    await requireWhole(place, jobs)
  })
