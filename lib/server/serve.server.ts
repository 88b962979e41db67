import { prepare } from '#lib/server/prepare.server'
import { serveHere } from '#lib/server/process.server'
import { orEnd } from '#lib/server/start-failure'

/** Opens the database, brings it up to date, and serves; the console's pages come from the module `pages`. */
export async function serve(pages = '#lib/server/pages.server'): Promise<void> {
  const { HOST, BASE_URL } = await prepare()
  const { port } = await orEnd(() => serveHere({ pages, chores: true }))
  process.stdout.write(
    `Console and API: ${BASE_URL ?? `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`}\n`,
  )
}
