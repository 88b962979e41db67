import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, expectStatus } from '#lib/tools/testing/client'
import { isOneInFive } from '#lib/tools/testing/search'

const folder = mkdtempSync(join(tmpdir(), 'test-linters-'))
const file = join(folder, 'openapi.json')
const project = join(import.meta.dirname, '../..')

const run = (program: string, ...args: string[]) =>
  promisify(execFile)(join(project, 'node_modules/.bin', program), args, {
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })

beforeAll(async () => {
  const description = await expectStatus(200, call('GET', '/api/openapi.json?types=json', { as: null }))
  writeFileSync(file, JSON.stringify(description))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('Redocly finds no error in the description', { timeout: 120_000 }, async () => {
  const { stderr } = await run('redocly', 'lint', file, '--format=summary')
  expect(stderr).toContain('Your API description is valid')
})

// It takes 13 s of processor time.
test.runIf(isOneInFive(2))(
  'Spectral and the rules of OWASP find nothing in the description',
  { timeout: 300_000 },
  async () => {
    const ruleset = join(import.meta.dirname, 'spectral.yaml')
    const { stdout } = await run('spectral', 'lint', file, '--ruleset', ruleset, '--fail-severity=hint')
    expect(stdout).toContain('No results with a severity')
  },
)
