import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { SCIM } from '#lib/ground/http/accept.server'
import { tooBusy } from '#lib/ground/http/busy'
import { addressOfClient, rememberConnection } from '#lib/ground/http/client-address.server'
import { ApiError } from '#lib/ground/http/errors'
import { apiProtection, pageProtection } from '#lib/ground/http/protection.server'
import { isRequestId } from '#lib/ground/http/request-id.server'
import { isScimPath, probes } from '#lib/ground/http/route.server'
import { log } from '#lib/ground/log.server'
import { page, refusal } from '#lib/request/pipeline/respond.server'
import { apiListener } from '#lib/server/api-listener.server'
import type { BodyPatience } from '#lib/server/bodies.server'
import { closeSilentConnections, refuseStrangeConnections, rememberAnswer } from '#lib/server/cut-off.server'
import { createGate, GatedResponse, type Limits } from '#lib/server/gate.server'
import type { Router } from '#lib/server/router.server'
import { readTarget, type Target } from '#lib/server/target.server'

export type ServePage = (request: IncomingMessage, response: ServerResponse) => unknown

/** Timeouts for clients, in milliseconds. */
export type Patience = BodyPatience & {
  /** To send the head of a request; for the first request, counted from the connection. */
  head: number
  /** To send the whole request. */
  request: number
  /** Without any progress of a response that has begun. */
  silence: number
  /** Between two signs that a response is still to come: proxies and clients give up after 60 s of silence. */
  sign: number
  /** Between requests on a connection. Proxies keep connections for 60 s; one closed while they reuse it is a 502 for their client. */
  rest: number
}

const usual: Patience = {
  head: 15_000,
  request: 60_000,
  small: 10_000,
  pause: 5000,
  silence: 150_000,
  sign: 40_000,
  rest: 75_000,
}

type Front = { router: Router; servePage: ServePage; limits: Limits; patience?: Partial<Patience> }

/** The server of console and API. Health checks and metrics are never refused. */
export function createFrontServer({ router, servePage, limits, patience }: Front): Server {
  const allowed = { ...usual, ...patience }
  const serveApi = apiListener(router)
  const gate = createGate(limits, allowed)

  const serve = (request: IncomingMessage, response: ServerResponse, target: Target): void => {
    const isOfApi = router.serves(target.path)
    if (!probes.has(target.path) && !gate.enter(request, response))
      refuse({ request, response, isOfApi }, busy)
    else if (isOfApi) {
      request.url = target.sent
      request.headers.host = target.host
      signOfLife(request, response, allowed.sign)
      void serveApi(request, response)
    } else {
      requirePage(request, response, target)
      handOver(request, response, target)
      void servePage(request, response)
    }
  }

  const server = createServer(
    {
      headersTimeout: allowed.head,
      requestTimeout: allowed.request,
      keepAliveTimeout: allowed.rest,
      ServerResponse: GatedResponse,
      // readTarget checks the Host, with a refusal in the usual format.
      requireHostHeader: false,
      connectionsCheckingInterval: Math.min(allowed.head, 5000),
      // RFC 9110 §7.8: a server may ignore an upgrade. Next listens for upgrades and would close the connection.
      shouldUpgradeCallback: () => false,
    },
    (request, response) => {
      rememberAnswer(request, response)
      // Requests on a kept-alive connection would delay the shutdown.
      if (!server.listening) response.setHeader('connection', 'close')
      try {
        serve(request, response, readTarget(request))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        refuse({ request, response }, error)
      }
    },
  )
  server.on('connection', rememberConnection)
  refuseStrangeConnections(server)
  closeSilentConnections(server, allowed.silence)
  return server
}

/**
 * Sends 102 until a long response begins (RFC 9110 §15.2: clients ignore unknown informational responses, and HTTP/1.0 has no such status).
 */
function signOfLife({ httpVersion }: IncomingMessage, response: ServerResponse, pause: number): void {
  if (httpVersion === '1.0') return
  const timer = setInterval(() => {
    if (response.headersSent) clearInterval(timer)
    else response.writeProcessing()
  }, pause).unref()
  response.once('close', () => clearInterval(timer))
}

const ASSETS = '/_next/static/'

/** Throws 404 or 405 for requests to Next that are not for pages or assets. */
function requirePage({ method }: IncomingMessage, response: ServerResponse, { path }: Target): void {
  if (/^\/_next(\/|$)/.test(path) && !path.startsWith(ASSETS)) throw new ApiError('404-NOT-FOUND')
  if (method === 'GET' || method === 'HEAD') return
  response.setHeader('allow', 'GET, HEAD')
  throw new ApiError('405-METHOD-NOT-ALLOWED')
}

/** The headers that pages and assets depend on. Others could control Next's internals. */
const forPages = [
  ...['host', 'accept', 'accept-encoding', 'accept-language', 'user-agent', 'cookie', 'range', 'if-range'],
  ...['if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since'],
]

/** Reduces the request to the parts for Next, and sets the security headers of the response. */
function handOver(request: IncomingMessage, response: ServerResponse, { path, query }: Target): void {
  // A script, style sheet or font is data, too: opened as a page it runs nothing.
  const isAsset = path.startsWith(ASSETS)
  const protection = isAsset ? apiProtection() : pageProtection(randomBytes(16).toString('base64'))
  for (const [name, value] of Object.entries(protection)) response.setHeader(name, value)
  const { headers } = request
  request.url = path + query
  request.headers = {
    ...Object.fromEntries(forPages.filter((name) => name in headers).map((name) => [name, headers[name]])),
    // Next reads the nonce for its own scripts from the request.
    'content-security-policy': protection['content-security-policy'],
  }
}

const busy = tooBusy()

type Exchange = { request: IncomingMessage; response: ServerResponse; isOfApi?: boolean }

/** Sends a refusal without the API's pipeline, which is cheap under overload. Browsers that requested a page get a page. */
function refuse({ request, response, isOfApi = false }: Exchange, error: ApiError): void {
  const { method, headers } = request
  const sent = String(headers['x-request-id'] ?? '')
  const requestId = isRequestId(sent) ? sent : randomUUID()
  const accept = isScimPath(request.url ?? '') ? SCIM : headers.accept
  const refused = refusal(error, accept ?? null, requestId)
  const asPage = !isOfApi && headers.accept?.includes('text/html')
  const body = asPage ? page(refused.status, error.faults[0]?.message ?? '') : refused.body
  if (error !== busy)
    log().info({ requestId, method, status: refused.status, address: addressOfClient(request) }, 'request')
  response.writeHead(refused.status, {
    ...apiProtection(),
    ...refused.headers,
    ...(asPage && { 'content-type': 'text/html; charset=utf-8' }),
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
  })
  response.end(body)
}
