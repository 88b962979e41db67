import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeDatabase, database } from '#lib/db/db.server'
import { keepSending } from '#lib/mail/outbox.server'
import { createFrontServer } from '#lib/server/front.server'
import { keepHouse } from '#lib/server/housekeeping.server'
import { prepare } from '#lib/server/prepare.server'

/** Opens the database, brings it up to date, serves, and ends in order on SIGTERM: requests in flight are finished. */
export async function serve(): Promise<void> {
  const { PORT, HOST, BASE_URL, EVENT_RETENTION_DAYS } = await prepare()
  const server = await createFrontServer()
  await listening(server, PORT, HOST)
  const chores = [keepHouse(EVENT_RETENTION_DAYS), keepSending()]
  const { port } = server.address() as AddressInfo
  process.stdout.write(
    `Console and API: ${BASE_URL ?? `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`}\n`,
  )
  const end = () => {
    for (const chore of chores) clearInterval(chore)
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
