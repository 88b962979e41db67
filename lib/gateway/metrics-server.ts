import { once } from 'node:events'
import { createServer } from 'node:http'

/** A page in a browser of this machine may have its own name lead to the loopback address. */
const own = /^(localhost|127\.0\.0\.1)(:\d+)?$/i

/** Answers `GET /metrics` on the loopback address until the signal comes. Throws if the port cannot be used. */
export async function serveMetrics(port: number, text: () => string, signal: AbortSignal): Promise<void> {
  const server = createServer((request, response) => {
    const isAsked = request.url === '/metrics' && (request.method === 'GET' || request.method === 'HEAD')
    if (!isAsked || !own.test(request.headers.host ?? '')) {
      response.writeHead(404).end()
      return
    }
    const headers = {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    }
    response.writeHead(200, headers).end(text())
  })
  server.maxConnections = 20
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const end = () => {
    server.close()
    server.closeAllConnections()
  }
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  await once(server, 'close')
}
