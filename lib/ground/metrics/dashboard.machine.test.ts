import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { env } from '#lib/ground/env.server'
import { type ApiProcess, ask, startApi, statusOf } from '#lib/tools/testing/api-process'
import { admin } from '#lib/tools/testing/client'
import { debianProgram } from '#lib/tools/testing/debian-programs'
import { freePort } from '#lib/tools/testing/free-port'

/* The dashboard's queries and the alerts, in a real Prometheus that scrapes a quiet console. */

type Panel = { title: string; targets: { expr: string }[] }
const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8')
const { panels } = JSON.parse(read('dashboard.json')) as { panels: Panel[] }

const program = debianProgram('prometheus', 'prometheus')
let folder: string
let server: ApiProcess
let prometheus: ChildProcess
let url: string

const inQuery = (expr: string): string =>
  expr.replaceAll('$__rate_interval', '10s').replaceAll('$instance', '.*')

async function results(query: string): Promise<{ value: [number, string] }[]> {
  const answer = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query })}`)
  const { data, error } = (await answer.json()) as {
    data?: { result: { value: [number, string] }[] }
    error?: string
  }
  if (!data) throw new Error(`${query}: ${error}`)
  return data.result
}

beforeAll(async () => {
  if (!program) return
  folder = mkdtempSync(join(tmpdir(), 'test-prometheus-'))
  server = await startApi(env())
  const config = join(folder, 'prometheus.yml')
  writeFileSync(
    config,
    `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [${join(process.cwd(), 'deploy/alerts.yaml')}]
scrape_configs:
  - job_name: cloud-console
    static_configs: [{ targets: ["${new URL(server.url).host}"] }]
`,
  )
  const address = `127.0.0.1:${await freePort()}`
  url = `http://${address}`
  prometheus = spawn(
    program.file,
    [`--config.file=${config}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`],
    { env: program.env, stdio: 'ignore' },
  )
}, 120_000)

afterAll(async () => {
  if (!program) return
  prometheus.kill()
  await Promise.all([once(prometheus, 'exit'), server.stop()])
  rmSync(folder, { recursive: true })
})

test.runIf(program)('every panel shows data of a quiet console', { timeout: 120_000 }, async () => {
  writeFileSync(join(env().DATA_DIR, 'last-backup'), '')
  // Repeated, so that each rate has an increase.
  const look = async () => {
    expect(await statusOf(ask(server, '/api/admin/scopes', { as: admin }))).toBe(200)
    const empty = []
    for (const { title, targets } of panels)
      for (const { expr } of targets) {
        const numbers = (await results(inQuery(expr))).map(({ value }) => Number(value[1]))
        if (!numbers.some(Number.isFinite)) empty.push(title)
      }
    expect(empty.filter((title) => title !== 'Requests that wait by design, a second')).toEqual([])
  }
  await vi.waitFor(look, { timeout: 60_000, interval: 1000 })
  expect(await results('ALERTS{alertstate="firing"}')).toEqual([])
})
