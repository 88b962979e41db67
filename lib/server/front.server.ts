import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { BUSY, tooBusy } from '#lib/http/busy'
import { rememberConnection } from '#lib/http/client-address.server'
import { apiProtection, pageProtection } from '#lib/http/protection.server'
import { isRequestId } from '#lib/http/request-id.server'
import { page, refusal } from '#lib/http/respond.server'
import { apiListener } from '#lib/server/api-listener.server'
import { createGate, type Limits } from '#lib/server/gate.server'
import type { Router } from '#lib/server/router.server'

export type ServePage = (request: IncomingMessage, response: ServerResponse) => unknown

/** How long a client may take, in milliseconds. */
export type Patience = {
  /** To send the head of a request, counted from the connection where it is the first. */
  head: number
  /** To send the whole of it. */
  request: number
  /** To take anything of an answer. No query takes as long. */
  silence: number
  /** To ask again on a connection. Proxies keep theirs for a minute: one that is closed as they use it is a 502 to their client. */
  rest: number
}

const usual: Patience = { head: 15_000, request: 60_000, silence: 150_000, rest: 75_000 }

type Front = { router: Router; servePage: ServePage; limits: Limits; patience?: Partial<Patience> }

/** The server of console and API. What only looks after it is never refused. */
export function createFrontServer({ router, servePage, limits, patience }: Front): Server {
  const allowed = { ...usual, ...patience }
  const serveApi = apiListener(router)
  const gate = createGate(limits)
  const server = createServer(
    {
      headersTimeout: allowed.head,
      requestTimeout: allowed.request,
      keepAliveTimeout: allowed.rest,
      connectionsCheckingInterval: Math.min(allowed.head, 5000),
    },
    (request, response) => {
      // Whoever keeps asking on a connection would hold up the end.
      if (!server.listening) response.setHeader('connection', 'close')
      const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
      const isOfApi = router.serves(path)
      if (!ALWAYS.has(path) && !gate.enter(request, response)) refuse(request, response, isOfApi)
      else if (isOfApi) void serveApi(request, response)
      else {
        protectPage(request, response)
        void servePage(request, response)
      }
    },
  )
  server.on('connection', rememberConnection)
  server.setTimeout(allowed.silence)
  return server
}

const ALWAYS = new Set(['/healthz', '/readyz', '/metrics'])

function protectPage(request: IncomingMessage, response: ServerResponse): void {
  const headers = pageProtection(randomBytes(16).toString('base64'))
  // Next reads the nonce for its own scripts from the request.
  request.headers['content-security-policy'] = headers['content-security-policy']
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}

const busy = tooBusy()

/** As every refusal looks, and cheaper than any other answer. */
function refuse({ headers }: IncomingMessage, response: ServerResponse, isOfApi: boolean): void {
  const given = String(headers['x-request-id'] ?? '')
  const requestId = isRequestId(given) ? given : randomUUID()
  const refused = refusal(busy, headers.accept ?? null, requestId)
  const body = isOfApi ? refused.body : page(503, BUSY)
  response.writeHead(503, {
    ...apiProtection(),
    ...refused.headers,
    ...(!isOfApi && { 'content-type': 'text/html; charset=utf-8' }),
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
  })
  response.end(body)
}
