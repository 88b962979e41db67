import { createSocket } from 'node:dgram'
import { Agent, createServer, get } from 'node:http'
import { connect } from 'node:net'

/*
 * A machine or a client in a network namespace, controlled by messages of its parent. Each answer contains the node that answered, the
 * port, and the source address that it saw.
 */

/** `from`: another address of the sender than its first one. */
export type Request = { host: string; port: number; from?: string; kept?: boolean; limit?: number }
/** The first packet of a connection. */
export type FirstPacket = { from: string; to: string; protocol: string; port: number }
export type Order =
  | { verb: 'serve'; name: string; ports: number[] }
  | ({ verb: 'get' } & Request)
  | ({ verb: 'datagram' } & Request)
  | { verb: 'send'; packets: readonly FirstPacket[] }

const agent = new Agent({ keepAlive: true, maxSockets: 1, maxFreeSockets: 10 })

const plain = (address = ''): string => address.replace(/^::ffff:/, '')

function serve({ name, ports }: Extract<Order, { verb: 'serve' }>): Promise<unknown> {
  const opened = ports.flatMap((port) => {
    const server = createServer(({ socket }, response) =>
      response.end(`${name}:${port} from ${plain(socket.remoteAddress)}\n`),
    )
    server.keepAliveTimeout = 600_000
    const datagrams = createSocket('udp6', (_message, { port: to, address }) =>
      datagrams.send(`${name}:${port} from ${plain(address)}`, to, address),
    )
    return [
      new Promise<void>((resolve) => server.listen(port, resolve)),
      new Promise<void>((resolve) => datagrams.bind(port, resolve)),
    ]
  })
  return Promise.all(opened)
}

/** `silent` without an answer in time. `kept`: over the connection of the last such request to that place, if it is still open. */
const ask = ({ host, port, from, kept, limit = 400 }: Request): Promise<string> =>
  new Promise((resolve) => {
    const request = get(
      { host, port, ...(from && { localAddress: from }), agent: kept ? agent : false },
      async (response) => {
        let said = ''
        for await (const piece of response) said += piece
        clearTimeout(timer)
        resolve(said.trim())
      },
    )
    request.on('error', () => resolve('silent'))
    const timer = setTimeout(() => request.destroy(), limit)
  })

const sendDatagram = ({ host, port, limit = 400 }: Request): Promise<string> =>
  new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    const end = (said: string) => {
      socket.close()
      resolve(said)
      clearTimeout(timer)
    }
    const timer = setTimeout(() => end('silent'), limit)
    socket.once('message', (message) => end(String(message)))
    socket.once('error', () => end('silent'))
    socket.send('hello', port, host)
  })

/** Waits for no answers. */
const send = ({ from, to, protocol, port }: FirstPacket): Promise<void> =>
  new Promise((resolve) => {
    if (protocol === 'TCP') {
      const socket = connect({ host: to, port, localAddress: from })
      socket.on('error', () => {})
      // The first packet has left once the system call has returned.
      setImmediate(() => setImmediate(() => resolve(void socket.destroy())))
      return
    }
    const socket = createSocket(from.includes(':') ? 'udp6' : 'udp4')
    socket.on('error', () => {})
    socket.bind({ address: from }, () => socket.send('hello', port, to, () => socket.close(() => resolve())))
  })

async function sendAll(packets: readonly FirstPacket[]): Promise<string> {
  for (let at = 0; at < packets.length; at += 50) await Promise.all(packets.slice(at, at + 50).map(send))
  return 'sent'
}

const carryOut = (order: Order): Promise<unknown> => {
  switch (order.verb) {
    case 'serve':
      return serve(order)
    case 'send':
      return sendAll(order.packets)
    case 'get':
      return ask(order)
    case 'datagram':
      return sendDatagram(order)
  }
}

process.on('message', async ({ id, order }: { id: number; order: Order }) => {
  process.send?.({ id, said: await carryOut(order) })
})
process.once('disconnect', () => process.exit())
