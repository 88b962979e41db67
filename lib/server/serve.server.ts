import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeDatabase, database } from '#lib/db/db.server'
import { migrate } from '#lib/db/migrate.server'
import { type Env, env, SettingError } from '#lib/env.server'
import { firstStart } from '#lib/server/first-start.server'
import { createFrontServer } from '#lib/server/front.server'

/** The settings, or one line that names the bad one and the end. */
export function settingsOrExit(): Env {
  try {
    return env()
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

/** Opens the database, brings it up to date, serves, and ends in order on SIGTERM: requests in flight are finished. */
export async function serve(): Promise<void> {
  const { PORT, HOST, BASE_URL } = settingsOrExit()
  await migrate(database())
  const password = await firstStart()
  const server = await createFrontServer()
  await listening(server, PORT, HOST)
  const { port } = server.address() as AddressInfo
  if (password)
    process.stdout.write(`First administrator: ${env().ADMIN_NICK}, password ${password} (shown this once)\n`)
  process.stdout.write(
    `Console and API: ${BASE_URL ?? `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`}\n`,
  )
  const end = () => {
    server.close(() => void closeDatabase(database()).then(() => process.exit(0)))
    server.closeIdleConnections()
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
}

/** Ends with one line where the address cannot be had. */
async function listening(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    process.stderr.write(
      `Cannot listen on HOST ${host}, PORT ${port}: ${error instanceof Error ? error.message : error}\n`,
    )
    process.exit(1)
  }
}
