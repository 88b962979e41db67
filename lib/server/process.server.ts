import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { endWaiting } from '#lib/cloud/translations/revisions.server'
import { keepNotingSilence } from '#lib/cloud/translations/states.server'
import { closeDatabase, database } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { logConsole } from '#lib/ground/log.server'
import { endTraces, startTraces } from '#lib/ground/metrics/traces.server'
import { keepDispatching } from '#lib/people/webhooks/dispatch.server'
import { webhookOutbox } from '#lib/people/webhooks/transport.server'
import { keepSealing } from '#lib/record/events/seals.server'
import { endStreams } from '#lib/record/events/stream.server'
import { endFollowing } from '#lib/record/jobs/follow.server'
import { mails } from '#lib/record/mail/outbox.server'
import { endWorking, keepWorking } from '#lib/request/jobs/worker.server'
import { importRoutes, loadRoutes } from '#lib/request/pipeline/routes.server'
import { createFrontServer, type ServePage } from '#lib/server/front.server'
import { keepHouse } from '#lib/server/housekeeping.server'
import { createRouter } from '#lib/server/router.server'
import { StartFailure } from '#lib/server/start-failure.server'
import { version } from '#lib/server/status.server'
import { keepEnding } from '#lib/state/ends/ends.server'
import { keepGoingBack } from '#lib/state/undo/going-back.server'

/** A module that serves the console's pages. */
type PagesModule = { openPages: () => Promise<ServePage> }

/** Per turn of the event loop. A page of a list takes at most a millisecond, on a busy machine about ten. */
const DELAY = 1000
/** Time for requests in flight to finish at shutdown, in milliseconds. */
const GRACE = 30_000

type Serving = {
  /** The name of a module that exports `openPages`. */
  pages: string
  /** True for the process that removes expired data, seals events, sends mail and webhooks. Several processes may do so; the work is only duplicated. */
  chores: boolean
}

/** Serves in this process. On SIGTERM it finishes the requests in flight and ends. Throws StartFailure. */
export async function serveHere({ pages, chores }: Serving): Promise<AddressInfo> {
  const { PORT, HOST, EVENT_RETENTION_DAYS, MAX_REQUESTS, OTEL_EXPORTER_OTLP_ENDPOINT } = env()
  logConsole()
  if (OTEL_EXPORTER_OTLP_ENDPOINT)
    startTraces((await import('#lib/ground/metrics/otlp.server')).openTracing(version))
  await importRoutes()
  const { openPages } = (await import(pages)) as PagesModule
  const server = createFrontServer({
    router: createRouter(await loadRoutes()),
    servePage: await openPages(),
    limits: { requests: MAX_REQUESTS, delay: DELAY },
  })
  const connections = connectionsOf(server)
  await listen(server, PORT, HOST)
  const timers = chores
    ? [
        keepHouse(EVENT_RETENTION_DAYS),
        mails.keepSending(),
        keepDispatching(),
        keepNotingSilence(),
        keepGoingBack(),
        keepEnding(),
        webhookOutbox.keepSending(),
        keepSealing(),
      ]
    : []
  endInOrder({ server, connections, timers: [...timers, ...keepWorking()] })
  return server.address() as AddressInfo
}

/** Connections that may wait to be accepted. Further ones retry after seconds. The system may allow fewer. */
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

function connectionsOf(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return open
}

type Ending = { server: Server; connections: ReadonlySet<Socket>; timers: NodeJS.Timeout[] }

function endInOrder({ server, connections, timers }: Ending): void {
  let isEnding = false
  const end = () => {
    // The signal may come twice: from the terminal or system, and from the primary.
    if (isEnding) return
    isEnding = true
    for (const timer of timers) clearInterval(timer)
    endStreams()
    endFollowing()
    const worked = endWorking()
    endWaiting()
    server.close(() => void worked.then(closeAll).finally(() => process.exit(0)))
    // A connection becomes idle only after its last response. One that has sent nothing yet is not idle to Node.
    setInterval(() => {
      server.closeIdleConnections()
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
    }, 100)
    setTimeout(() => server.closeAllConnections(), GRACE).unref()
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}
