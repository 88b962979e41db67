import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import next from 'next'
import { apiListener } from '#lib/server/api-listener.server'
import { createRouter, loadRoutes } from '#lib/server/router.server'

/** What a page may load: nothing foreign, no inline script or style without this answer's nonce. */
const contentPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

function protectPage(request: IncomingMessage, response: ServerResponse): void {
  const policy = contentPolicy(randomBytes(16).toString('base64'))
  // Next reads the nonce for its own scripts from the request.
  request.headers['content-security-policy'] = policy
  response.setHeader('content-security-policy', policy)
  response.setHeader('x-content-type-options', 'nosniff')
  response.setHeader('referrer-policy', 'no-referrer')
  response.setHeader('x-frame-options', 'DENY')
}

/** The server of console and API: the API from its route files, the console's pages and assets from Next. */
export async function createFrontServer(): Promise<Server> {
  const router = createRouter(await loadRoutes())
  const pages = next({ dev: false })
  await pages.prepare()
  const servePage = pages.getRequestHandler()
  const serveApi = apiListener(router)
  return createServer((request, response) => {
    if (router.serves((request.url ?? '/').split('?', 1)[0] ?? '/')) return void serveApi(request, response)
    protectPage(request, response)
    void servePage(request, response)
  })
}
