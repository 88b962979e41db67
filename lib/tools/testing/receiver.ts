import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { database, transaction } from '#lib/db/db.server'
import { dispatch } from '#lib/people/webhooks/dispatch.server'
import { webhookOutbox } from '#lib/people/webhooks/transport.server'
import { endOfFeed } from '#lib/record/events/feed.server'
import { withSettings } from '#lib/tools/testing/session'
import { settled } from '#lib/tools/testing/settled'

type Received = { path: string; headers: IncomingHttpHeaders; body: string }

export type Receiver = {
  url: string
  /** The deliveries since the last call, after everything that is due was sent. */
  received: () => Promise<Received[]>
  /** The answers from now on. */
  answer: (listener: RequestListener) => void
  /** The next request. */
  next: () => Promise<Received>
}

/** Deletes all webhooks, so that those of other tests receive nothing. New ones start after the present events. */
export const forgetWebhooks = async (): Promise<void> => {
  const { transaction: number, event } = await endOfFeed(database().read)
  await transaction(async (trx) => {
    for (const table of ['webhook_deliveries', 'webhooks', 'webhook_cursor'] as const)
      await trx.deleteFrom(table).execute()
    await trx
      .insertInto('webhook_cursor')
      .values({ position: `${number}.${event}` })
      .execute()
  })
}

/** Runs `work` with a receiver of webhooks, by http on loopback. */
export async function withReceiver<T>(work: (receiver: Receiver) => Promise<T>): Promise<T> {
  let listener: RequestListener = (_request, response) => void response.writeHead(204).end()
  let received: Received[] = []
  let waiting = Promise.withResolvers<Received>()
  const server = createServer(async (request, response) => {
    const { url = '', headers } = request
    const one = { path: url, headers, body: await text(request) }
    received.push(one)
    waiting.resolve(one)
    waiting = Promise.withResolvers()
    listener(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received: async () => {
      await settled(database())
      await dispatch()
      await webhookOutbox.sendDue()
      const all = received
      received = []
      return all
    },
    answer: (other) => {
      listener = other
    },
    next: () => waiting.promise,
  }
  try {
    return await withSettings({ WEBHOOK_ALLOW: ['127.0.0.1'] }, () => work(receiver))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
