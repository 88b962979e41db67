import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startApi } from '#lib/testing/api-process'
import { admin, basicOf } from '#lib/testing/client'
import { ownDatabase } from '#lib/testing/own-database'

const project = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'test-client-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const options = { strict: true, noUncheckedIndexedAccess: true, erasableSyntaxOnly: true, noEmit: true }
const modules = {
  module: 'nodenext',
  allowImportingTsExtensions: true,
  lib: ['es2024', 'dom', 'dom.iterable'],
}

/** The example of the document. */
const example = (): string => {
  const [, text = ''] =
    /### A typed client[\s\S]*?```ts\n([\s\S]*?)```/.exec(
      readFileSync(join(project, 'docs', 'api.md'), 'utf8'),
    ) ?? []
  return text
}

// The generator and the compiler take ten seconds of processor time.
test('the typed client and its documented example compile under strict, and the example runs', async () => {
  execFileSync(process.execPath, ['lib/scripts/run.js', 'client', folder], { cwd: project })
  writeFileSync(join(folder, 'example.ts'), example())
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const types = { types: ['node'], typeRoots: [join(project, 'node_modules/@types')] }
  const compilerOptions = { ...options, ...modules, ...types }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['example.ts'] }))
  const compiled = spawnSync(join(project, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' })
  expect(compiled.stdout).toBe('')

  const server = await startApi(await ownDatabase())
  try {
    const answer = await fetch(`${server.url}/api/login`, { headers: { authorization: basicOf(admin) } })
    const env = {
      ...process.env,
      API_URL: `${server.url}/api`,
      API_TOKEN: answer.headers.get('x-service-token') ?? '',
    }
    const ran = execFileSync(process.execPath, [join(folder, 'example.ts')], { env, encoding: 'utf8' })
    expect(ran).toMatch(/^Europe has the id \d+\nSCOPE-0\n$/)
  } finally {
    await server.stop()
  }
}, 120_000)
