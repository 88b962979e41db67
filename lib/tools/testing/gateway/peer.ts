import { createSocket } from 'node:dgram'
import { Agent, createServer, get } from 'node:http'

/*
 * A machine or a client in a network namespace, controlled by messages of its parent. Each answer contains the node that answered, the
 * port, and the source address that it saw.
 */

/** `from`: another address of the sender than its first one. */
export type Request = { host: string; port: number; from?: string; kept?: boolean; limit?: number }
export type Order =
  | { verb: 'serve'; name: string; ports: number[] }
  | ({ verb: 'get' } & Request)
  | ({ verb: 'datagram' } & Request)

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

process.on('message', async ({ id, order }: { id: number; order: Order }) => {
  const said =
    order.verb === 'serve' ? await serve(order) : await (order.verb === 'get' ? ask : sendDatagram)(order)
  process.send?.({ id, said })
})
process.once('disconnect', () => process.exit())
