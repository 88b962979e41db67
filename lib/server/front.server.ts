import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import next from 'next'
import { pageProtection } from '#lib/http/protection.server'
import { apiListener } from '#lib/server/api-listener.server'
import { createRouter, loadRoutes } from '#lib/server/router.server'

function protectPage(request: IncomingMessage, response: ServerResponse): void {
  const headers = pageProtection(randomBytes(16).toString('base64'))
  // Next reads the nonce for its own scripts from the request.
  request.headers['content-security-policy'] = headers['content-security-policy']
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
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
