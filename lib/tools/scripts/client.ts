import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describeApi } from '#lib/openapi/openapi.server'
import type { JsonSchema } from '#lib/openapi/schema'
import { loadRoutes } from '#lib/request/pipeline/routes.server'

/* `npm run client -- FOLDER` writes a typed client of the API, one file without dependencies (docs/api.md, "A typed client"). */

/** The client speaks JSON. With one media type for each document its types are exact. */
const jsonAlone = (description: JsonSchema): string =>
  JSON.stringify(description, (key, value: unknown) => {
    if (key !== 'content' || value === null || typeof value !== 'object') return value
    const { 'application/json': json } = value as Record<string, unknown>
    return json === undefined ? value : { 'application/json': json }
  })

const folder = resolve(process.argv[2] ?? 'dist/client')
const work = mkdtempSync(join(tmpdir(), 'client-'))
try {
  const description = join(work, 'openapi.json')
  writeFileSync(description, jsonAlone(describeApi(await loadRoutes())))
  mkdirSync(folder, { recursive: true })
  const program = join(import.meta.dirname, '../../../node_modules/.bin/swagger-typescript-api')
  const options = ['--module-name-first-tag', '--enum-style=union', '--unwrap-response-data', '--silent']
  const files = ['--path', description, '--output', folder, '--name', 'client.ts']
  execFileSync(program, ['generate', ...files, ...options], { stdio: ['ignore', 'ignore', 'inherit'] })
  process.stdout.write(`The client is in ${join(folder, 'client.ts')}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
