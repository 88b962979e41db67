import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { rememberConnection } from '#lib/ground/http/client-address.server'
import { apiListener } from '#lib/server/api-listener.server'
import { admin, call, router } from '#lib/tools/testing/client'
import { newScope } from '#lib/tools/testing/scopes'
import { isOneInFive } from '#lib/tools/testing/search'
import { tokenOf } from '#lib/tools/testing/session'

const project = join(import.meta.dirname, '../../..')
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
    /## A typed client[\s\S]*?```ts\n([\s\S]*?)```/.exec(
      readFileSync(join(project, 'docs/api/description.md'), 'utf8'),
    ) ?? []
  return text
}

// The generator and the compiler take ten seconds of processor time. Their input has daily tests: lib/openapi.
test.runIf(isOneInFive(1))(
  'the typed client and its documented example compile under strict, and the example runs',
  async () => {
    execFileSync(process.execPath, ['lib/tools/scripts/run.js', 'client', folder], { cwd: project })
    writeFileSync(join(folder, 'example.ts'), example())
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const types = { types: ['node'], typeRoots: [join(project, 'node_modules/@types')] }
    const compilerOptions = { ...options, ...modules, ...types }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['example.ts'] }))
    const compiled = spawnSync(join(project, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' })
    expect(compiled.stdout).toBe('')

    const server = createServer(apiListener(await router()))
      .on('connection', rememberConnection)
      .listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const { port } = server.address() as AddressInfo
      const token = tokenOf(await call('GET', '/api/login', { as: admin }))
      // As in the demo: the scope is there, and has others below it.
      const { id } = await newScope({ name: 'Europe' })
      await newScope({ parent: id })
      const env = { ...process.env, API_URL: `http://127.0.0.1:${port}/api`, API_TOKEN: token }
      const ran = await promisify(execFile)(process.execPath, [join(folder, 'example.ts')], { env })
      expect(ran.stdout).toBe(`Europe has the id ${id}\ncreate again: SCOPE-0\ndelete: SCOPE-19\n`)
      const refused = promisify(execFile)(process.execPath, [join(folder, 'example.ts')], {
        env: { ...env, API_TOKEN: 'sat_wrong' },
      })
      await expect(refused).rejects.toThrow(/Refusal.*: 401: Unauthorized\n/)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  },
  120_000,
)
