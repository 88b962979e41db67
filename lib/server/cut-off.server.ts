import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { apiProtection } from '#lib/ground/http/protection.server'

/* Connections that are closed because they send no complete request, or read nothing. */

const answers = new WeakMap<Duplex, Set<ServerResponse>>()

/** Records the open responses of a connection. */
export function rememberAnswer({ socket }: IncomingMessage, response: ServerResponse): void {
  const owed = answers.get(socket) ?? new Set()
  answers.set(socket, owed.add(response))
  response.once('close', () => owed.delete(response))
}

/** Closes connections without any progress for so long (ms), unless this server has still to answer: a change may take long, and its client waits. */
export function closeSilentConnections(server: Server, silence: number): void {
  server.setTimeout(silence, (socket) => {
    const isOwed = [...(answers.get(socket) ?? [])].some(
      ({ headersSent, req }) => !headersSent && req.complete,
    )
    if (!isOwed) socket.destroy()
  })
}

/** Closes a connection with a last status. During a response no status is sent: the client would read it as part of the body. */
export function cutOff(socket: Duplex, status: number): void {
  const isBetweenAnswers = [...(answers.get(socket) ?? [])].every(({ headersSent }) => !headersSent)
  if (socket.writable && isBetweenAnswers) socket.write(bareAnswer(status))
  if ('destroySoon' in socket && typeof socket.destroySoon === 'function') socket.destroySoon()
  else socket.destroy()
}

function bareAnswer(status: number): string {
  const headers = {
    ...apiProtection(),
    'x-request-id': randomUUID(),
    'cache-control': 'no-store',
    'content-length': '0',
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`
}

const statuses: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
}

/** Closes connections that do not speak HTTP, are too slow, or ask for a tunnel. */
export function refuseStrangeConnections(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // A client takes an answer before its first request for the answer to it.
    const isUnused = 'bytesRead' in socket && socket.bytesRead === 0
    if (error.code === 'ECONNRESET' || isUnused) socket.destroy()
    else cutOff(socket, statuses[error.code ?? ''] ?? 400)
  })
  server.on('connect', (_request, socket) => cutOff(socket, 400))
}
