import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { addressOf, rememberPeer } from '#lib/ground/http/client-address.server'
import type { Router } from '#lib/server/router.server'

/** Headers joins appended values with commas, but clients expect one header line for each challenge. */
function splitChallenges(headers: Headers, outgoing: ServerResponse): void {
  const joined = headers.get('www-authenticate')
  if (!joined) return
  headers.delete('www-authenticate')
  outgoing.setHeader('www-authenticate', joined.split(/, (?=\w+ realm=)/))
}

/** Serves the API on Node's HTTP server. When a client disconnects, the body of its response is cancelled. */
export const apiListener = (
  router: Router,
): ((incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>) =>
  getRequestListener(
    async (request, { incoming, outgoing }) => {
      rememberPeer(request, addressOf(incoming.socket))
      const response = await router.fetch(request)
      splitChallenges(response.headers, outgoing as ServerResponse)
      return response
    },
    { overrideGlobalObjects: false },
  )
