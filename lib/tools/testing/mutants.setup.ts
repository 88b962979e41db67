import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, inject } from 'vitest'
import type { Database } from '#lib/db/db.server'

declare module 'vitest' {
  interface ProvidedContext {
    mutantActivation: 'static' | 'runtime' | undefined
  }
}

/* The process serves many runs: the leftovers of a run are removed here, before any module is evaluated. */

const shared = globalThis as { __database?: Database; __stryker__?: { activeMutant?: string | undefined } }

if (shared.__stryker__ && inject('mutantActivation') !== 'static') shared.__stryker__.activeMutant = undefined

if (shared.__database) {
  const { closeDatabase } = await import('#lib/db/db.server')
  await closeDatabase(shared.__database)
  delete shared.__database
  // Closes all of them: unfinished work of a former run may have opened its own one again.
  const directory = inject('dataDirectory')
  for (const name of globSync('worker-*', { cwd: directory }))
    rmSync(join(directory, name), { recursive: true, force: true })
}
// So that lib/tools/testing/worker.setup.ts prepares another one.
delete process.env.TEST_WORKER

// A mutant of a module that the first request loads would seem to be reached by this test alone.
if (process.env.TEST_ENGINE)
  beforeAll(async () => {
    const { loadRoutes } = await import('#lib/request/pipeline/routes.server')
    await loadRoutes()
  })
