import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Arrival } from '#lib/tools/testing/cluster/history'

/* A receiver of webhooks that keeps the ids of the events. */

export type Hooks = { events: readonly Arrival[]; close: () => void }

export async function receiveHooks(host: string, port: number, now: () => number): Promise<Hooks> {
  const events: Arrival[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    // A sender that ended in the middle sends again.
    if (body === undefined) return
    const { data } = JSON.parse(body) as { data: { id: number } }
    events.push({ id: data.id, at: now() })
    response.writeHead(204).end()
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    events,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
