import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a port of this machine that can be cut. */
export type Link = {
  port: number
  /** From now on nothing passes, and no connection is closed: as if a cable were cut, or the other side stopped. */
  silence: () => void
  refuse: () => Promise<void>
  accept: () => Promise<void>
  close: () => Promise<void>
}

export async function startLink(target: number): Promise<Link> {
  let isSilent = false
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const other = connect(target, '127.0.0.1')
    for (const [one, another] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(one)
      one.on('data', (data) => isSilent || another.write(data))
      one.on('close', () => isSilent || another.destroy())
      one.on('error', () => {})
    }
  })
  const listen = async (port = 0) => {
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  }
  const refuse = async () => {
    for (const socket of sockets) socket.destroy()
    const closed = once(server, 'close')
    server.close()
    await closed
  }
  const port = await listen()
  return {
    port,
    silence: () => {
      isSilent = true
    },
    refuse,
    accept: async () => void (await listen(port)),
    close: refuse,
  }
}
