import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeDatabase, database } from '#lib/db/db.server'
import { env } from '#lib/env.server'
import { logConsole } from '#lib/log.server'
import { keepSending } from '#lib/mail/outbox.server'
import { endTraces, startTraces } from '#lib/metrics/traces.server'
import { createFrontServer, type ServePage } from '#lib/server/front.server'
import { keepHouse } from '#lib/server/housekeeping.server'
import { createRouter, loadRoutes } from '#lib/server/router.server'
import { StartFailure } from '#lib/server/start-failure.server'
import { version } from '#lib/server/status.server'

/** What a module exports that serves the console's pages. */
export type PagesModule = { openPages: () => Promise<ServePage> }

/** In one turn of the event loop; a page of a list takes a millisecond or less, on a busy machine some ten. */
const DELAY = 1000
/** How long requests in flight may take to their end, in milliseconds. */
const GRACE = 30_000

export type Serving = {
  /** The name of a module that exports `openPages`. */
  pages: string
  /** Whether this is the process that removes what has run out and sends mail. Several may: it is work done twice. */
  chores: boolean
}

/** Serves in this process, and ends in order on SIGTERM: requests in flight are finished. Throws StartFailure. */
export async function serveHere({ pages, chores }: Serving): Promise<AddressInfo> {
  const { PORT, HOST, EVENT_RETENTION_DAYS, MAX_REQUESTS, OTEL_EXPORTER_OTLP_ENDPOINT } = env()
  logConsole()
  if (OTEL_EXPORTER_OTLP_ENDPOINT)
    startTraces((await import('#lib/metrics/otlp.server')).openTracing(version))
  const { openPages } = (await import(pages)) as PagesModule
  const server = createFrontServer({
    router: createRouter(await loadRoutes()),
    servePage: await openPages(),
    limits: { requests: MAX_REQUESTS, delay: DELAY },
  })
  await listen(server, PORT, HOST)
  const timers = chores ? [keepHouse(EVENT_RETENTION_DAYS), keepSending()] : []
  endInOrder(server, timers)
  return server.address() as AddressInfo
}

/** So many connections may come at once; of those beyond it each tries again after seconds. The system may allow less. */
const BACKLOG = 4096

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen({ port, host, backlog: BACKLOG })
  try {
    await once(server, 'listening')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause
    throw new StartFailure(`Cannot listen on HOST ${host}, PORT ${port}: ${reason}`, { cause })
  }
}

const closeAll = () => Promise.allSettled([closeDatabase(database()), endTraces()])

function endInOrder(server: Server, timers: NodeJS.Timeout[]): void {
  let isEnding = false
  const end = () => {
    // It may be told twice: by the terminal or the system, and by the primary.
    if (isEnding) return
    isEnding = true
    for (const timer of timers) clearInterval(timer)
    server.close(() => void closeAll().finally(() => process.exit(0)))
    // A connection whose last answer is under way is idle only after that.
    setInterval(() => server.closeIdleConnections(), 100)
    setTimeout(() => server.closeAllConnections(), GRACE).unref()
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}
