import { closeDatabase, database } from '#lib/db/db.server'
import { isLoopback } from '#lib/ground/net/loopback'
import { prepare } from '#lib/server/prepare.server'
import { orEnd } from '#lib/server/start-failure.server'

type Serving = {
  pages?: string
  /** Prints the name of this machine in place of its loopback address, where browsers have no passkeys. */
  byName?: boolean
}

/**
 * Opens and migrates the database, then serves in this process or in WEB_CONCURRENCY processes behind one address. Each process imports
 * the module `pages`.
 */
export async function serve({
  pages = '#lib/server/pages.server',
  byName = false,
}: Serving = {}): Promise<void> {
  const { HOST, BASE_URL, WEB_CONCURRENCY } = await prepare()
  const port = await orEnd(() => (WEB_CONCURRENCY === 1 ? alone(pages) : together(WEB_CONCURRENCY, pages)))
  const host = byName && isLoopback(HOST) ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST
  process.stdout.write(`Console and API: ${BASE_URL ?? `http://${host}:${port}`}\n`)
}

/* Dynamic imports: the primary of several processes does not need the serving code. */

async function alone(pages: string): Promise<number> {
  const { serveHere } = await import('#lib/server/process.server')
  return (await serveHere({ pages, chores: true })).port
}

async function together(count: number, pages: string): Promise<number> {
  await closeDatabase(database())
  const { endWorkers, startWorkers } = await import('#lib/server/workers.server')
  try {
    return await startWorkers(count, pages)
  } catch (error) {
    await endWorkers()
    throw error
  }
}
