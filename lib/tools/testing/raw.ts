import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

export type RawAnswer = { status: number; headers: Map<string, string>; body: string }

/** Lets a server listen on a free port of this machine, and gives that. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Ends a server with all its connections. */
export function end(server: Server): void {
  server.close()
  server.closeAllConnections()
}

/** Sends these bytes unchanged on a connection of their own, and reads the answer until it ends. */
export async function sendRaw(port: number, bytes: string): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1')
  const pieces: Buffer[] = []
  socket.on('data', (piece) => pieces.push(piece))
  // A refused client is disconnected while it may still be sending.
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes, 'latin1')
  if (!socket.closed) await once(socket, 'close')
  return readAnswer(Buffer.concat(pieces).toString())
}

/** The first answer in a text, with status 0 if there is none. */
function readAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1] ?? 0),
    headers: new Map(headers),
    body: text.slice(end + 4),
  }
}

/** GET of a target that no client library would send. */
export const getRaw = (
  port: number,
  target: string,
  headers: Record<string, string> = {},
): Promise<RawAnswer> => {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, connection: 'close', ...headers })
  return sendRaw(
    port,
    `GET ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
}
