import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, inject, vi } from 'vitest'
import { queryPostgres } from '#lib/tools/testing/postgres'
import { testSettings } from '#lib/tools/testing/settings'

// Reports keep the message of an error, and lose its cause.
fc.configureGlobal({ includeErrorInReport: true })

// A hash takes 20 ms of a core, and thousands of the tests' requests come with a password: they are hashed at the least cost.
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const { hash, ...argon2 } = await importOriginal<typeof import('@node-rs/argon2')>()
  const { cheapHash } = await import('#lib/tools/testing/settings')
  return {
    ...argon2,
    hash: (password: string, options: object) => hash(password, { ...options, ...cheapHash }),
  }
})

// A worker keeps its modules, hence its open database, from file to file: it is prepared once.
if (process.env.TEST_WORKER !== String(process.pid)) {
  const settings = {
    ...testSettings,
    LOG_LEVEL: 'silent',
    DATA_DIR: mkdtempSync(join(inject('dataDirectory'), 'worker-')),
    DATABASE_URL: process.env.TEST_ENGINE === 'postgres' ? await createDatabase() : '',
    TEST_WORKER: String(process.pid),
    // A server that a test starts compiles the same modules as the one before: with this cache a start takes a third less processor time.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(inject('dataDirectory'), 'compiled'),
  }
  for (const [name, value] of Object.entries(settings)) {
    if (value === '') delete process.env[name]
    else process.env[name] = value
  }
}

// Before the file is loaded, which may fill it at once.
const { renewDatabase } = await import('#lib/tools/testing/fresh-database')
await renewDatabase()

beforeEach(async () => {
  // Not sooner: its modules read the settings.
  const { forgetSprays } = await import('#lib/tools/testing/client')
  await forgetSprays()
})

async function createDatabase(): Promise<string> {
  const url = new URL(inject('postgresUrl'))
  const name = `worker_${process.pid}`
  await queryPostgres(url.href, `create database ${name}`)
  url.pathname = name
  return url.href
}
