import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { drain, send } from '#lib/ground/http/answer.server'
import { addressOf } from '#lib/ground/http/client-address.server'
import { exchangeOn } from '#lib/ground/http/exchange.server'
import { apiProtection } from '#lib/ground/http/protection.server'
import { log } from '#lib/ground/log.server'
import type { Router } from '#lib/server/router.server'

/** Serves the API on Node's HTTP server. When a client disconnects, the body of its answer is cancelled. */
export const apiListener =
  (router: Router) =>
  async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    outgoing.once('close', () => drain(incoming))
    try {
      send(await router.serve(exchangeOn(incoming, outgoing, addressOf(incoming.socket))), outgoing)
    } catch (err) {
      log().error({ err }, 'an answer could not be sent')
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(500, STATUS_CODES[500], { ...apiProtection(), 'content-length': '0' }).end()
    }
  }
