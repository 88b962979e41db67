import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

/* A receiver of webhooks that keeps the ids of the events. */

export type Hooks = { events: readonly number[]; close: () => void }

export async function receiveHooks(host: string, port: number): Promise<Hooks> {
  const events: number[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    // A sender that ended in the middle sends again.
    if (body === undefined) return
    const { data } = JSON.parse(body) as { data: { id: number } }
    events.push(data.id)
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
