import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { testSettings } from '#lib/tools/testing/settings'

/* `npm run fuzz -- --requests 100000 --seed 1`: requests made from the API's description, against an installation of its own. */

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
})
const own = process.env.DATA_DIR ? undefined : mkdtempSync(join(tmpdir(), 'fuzz-'))
const { DATA_DIR = own, DATABASE_URL = '' } = process.env
Object.assign(process.env, testSettings, { DATA_DIR, DATABASE_URL, LOG_LEVEL: 'silent' })
for (const [name, value] of Object.entries(process.env)) if (value === '') delete process.env[name]

const { importRoutes } = await import('#lib/request/pipeline/routes.server')
await importRoutes()
const { fuzz } = await import('#lib/tools/testing/fuzz/run')
const { closeDatabase, database } = await import('#lib/db/db.server')
try {
  const report = (done: number) => process.stderr.isTTY && process.stderr.write(`\r${done}`)
  const { requests, statuses, slowest } = await fuzz(Number(values.requests), Number(values.seed), report)
  console.log(`${requests} requests, seed ${values.seed}: ${JSON.stringify(statuses)}`)
  console.log(`slowest: ${slowest.ms} ms, ${slowest.title}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await closeDatabase(database())
  if (own) rmSync(own, { recursive: true, force: true })
}
