import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { env } from '#lib/ground/env.server'
import { type ApiProcess, ask, startApi } from '#lib/tools/testing/api-process'
import { admin, expectStatus, forgetDatabase } from '#lib/tools/testing/client'
import { addManyIps, networksPath, newDatacenter, newNetwork } from '#lib/tools/testing/nat'

/* How long a job of many rows takes, and how long a light request waits beside it (docs/performance.md). */

const ROWS = 200_000
const NETWORKS = 4

let server: ApiProcess | undefined

afterAll(() => server?.stop())

const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? 0

test('200,000 NAT IPs change their state in a minute on SQLite, and light requests wait at most 100 ms (p99)', {
  timeout: 600_000,
}, async () => {
  const { id: datacenter } = await newDatacenter()
  for (let count = 0; count < NETWORKS; count += 1)
    await addManyIps(await newNetwork({ datacenter, cidr: `10.${count}.0.0/16` }), ROWS / NETWORKS)
  await forgetDatabase()
  const { DATA_DIR, DATABASE_URL } = env()
  server = await startApi({ DATA_DIR, DATABASE_URL })
  const path = `${networksPath(datacenter)}/action/changeips`
  const began = performance.now()
  const response = await ask(server, path, {
    as: admin,
    body: { filter: '', quarantine: true },
    headers: { prefer: 'respond-async' },
  })
  const token = [...response.headers].find(([name]) => name.endsWith('-token'))?.[1] ?? ''
  const headers = { authorization: `Token ${token}` }
  const { id } = await expectStatus(202, response)
  const accepted = performance.now() - began
  const [reads, writes]: number[][] = [[], []]
  const timed = async (times: number[] | undefined, request: () => Promise<Response>) => {
    const sent = performance.now()
    await (await request()).text()
    times?.push(performance.now() - sent)
  }
  const from = server
  let job = { state: 'waiting', done: 0, total: 0 }
  for (let count = 0; job.state === 'waiting' || job.state === 'running'; count += 1) {
    await timed(reads, () => ask(from, `/api/admin/datacenters/${datacenter}`, { headers }))
    const body = { name: `Beside ${count}`, location: 'Here' }
    if (count % 5 === 0) await timed(writes, () => ask(from, '/api/admin/datacenters', { headers, body }))
    if (count % 20 === 0) job = await expectStatus(200, ask(from, `/api/jobs/${id}`, { headers }))
    await delay(5)
  }
  const seconds = (performance.now() - began) / 1000
  const figures = (times: number[] = []) =>
    `${times.length}: p50 ${percentile(times, 0.5).toFixed(1)}, p99 ${percentile(times, 0.99).toFixed(1)}, longest ${Math.max(...times).toFixed(1)} ms`
  process.stdout.write(
    `accepted after ${accepted.toFixed(0)} ms, ended after ${seconds.toFixed(1)} s; reads ${figures(reads)}; writes ${figures(writes)}\n`,
  )
  expect(job).toMatchObject({ state: 'done', done: ROWS, total: ROWS })
  // PostgreSQL takes longer: a step is many round trips.
  expect(seconds).toBeLessThan(DATABASE_URL ? 240 : 60)
  expect(percentile(reads ?? [], 0.99)).toBeLessThan(100)
})
