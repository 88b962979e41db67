import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { FirstPacket, Order, Request } from '#lib/tools/testing/gateway/peer'

/* Network namespaces with a client, a gateway and two machines behind it, as docs/gateway.md draws them. */

const PREFIX = 'natlab'

const programs = ['ip', 'nft', 'conntrack']
const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` }

/** The reason why no namespaces can be made here, or undefined. */
export function obstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  const missing = programs.filter((name) => spawnSync(name, ['-V'], { env }).error)
  if (missing.length > 0) return `${missing.join(' and ')} is not installed`
  const probe = `${PREFIX}-${process.pid}-probe`
  const { status } = spawnSync('sh', ['-c', `ip netns add ${probe} && ip netns delete ${probe}`], { env })
  return status === 0 ? undefined : 'this machine lets nobody make network namespaces'
}

const sh = (script: string): string =>
  execFileSync('sh', ['-c', `set -e\n${script}`], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Ends the programs in these namespaces and deletes them with their links. A second Ctrl+C does not reach the programs that do this. */
function removeNamespaces(names: readonly string[]): void {
  for (const name of names)
    sh(
      `trap '' INT TERM HUP; ip netns pids ${name} | xargs -r kill -9 2>/dev/null || true; ip netns delete ${name} || true`,
    )
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Removes the leftovers of killed processes. */
export function sweep(): void {
  const names = sh('ip netns list').split('\n')
  const left = names.flatMap((line) => {
    const [name = '', , pid] = new RegExp(`^${PREFIX}-((\\d+)-\\w+)`).exec(line) ?? []
    return pid && !isRunning(Number(pid)) ? [name] : []
  })
  removeNamespaces(left)
}

export const nodes = ['client', 'gateway', 'switch', 'one', 'two'] as const
export type Node = (typeof nodes)[number]

/** The address of the machines: `one` and `two`. */
export const machines = { one: '192.168.0.10', two: '192.168.0.11' } as const
export const sixes = { one: 'fd00:168::10', two: 'fd00:168::11' } as const

let labs = 0

/** The programs that answer in a namespace. */
type Peer = { child: ChildProcess; waiting: Map<number, (said: string) => void> }

export class Lab {
  readonly #id = `${PREFIX}-${process.pid}-${(labs++).toString(36)}`
  readonly #peers = new Map<Node, Peer>()
  readonly #children = new Set<ChildProcess>()
  #orders = 0

  static async make(): Promise<Lab> {
    const lab = new Lab()
    await lab.open()
    return lab
  }

  /** Makes the namespaces. Until it ends, `removeNow` removes the ones made so far. */
  async open(): Promise<void> {
    sweep()
    try {
      this.#build()
      await Promise.all((['one', 'two'] as const).map((name) => this.serve(name, [80, 8000])))
    } catch (error) {
      await this.remove()
      throw error
    }
  }

  name(node: Node): string {
    return `${this.#id}${node.slice(0, 2)}`
  }

  #build(): void {
    const [client, gateway, bridge, one, two] = nodes.map((node) => this.name(node))
    sh(`
for n in ${[client, gateway, bridge, one, two].join(' ')}; do
  ip netns add $n
  ip netns exec $n sysctl -qw net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0
  ip -n $n link set lo up
done
ip -n ${client} link add eth0 type veth peer name wan netns ${gateway}
ip -n ${bridge} link add br0 type bridge mcast_snooping 0
ip -n ${bridge} link add router type veth peer name lan netns ${gateway}
ip -n ${bridge} link add one type veth peer name eth0 netns ${one}
ip -n ${bridge} link add two type veth peer name eth0 netns ${two}
for l in router one two; do ip -n ${bridge} link set $l master br0; ip -n ${bridge} link set $l up; done
ip -n ${bridge} link set br0 up
address() { ip -n $1 addr add $3 dev $2; ip -n $1 addr add $4 dev $2 nodad; ip -n $1 link set $2 up; }
address ${client} eth0 198.51.100.2/24 fd00:51::2/64
address ${gateway} wan 198.51.100.1/24 fd00:51::1/64
address ${gateway} lan 192.168.0.1/24 fd00:168::1/64
address ${one} eth0 ${machines.one}/24 ${sixes.one}/64
address ${two} eth0 ${machines.two}/24 ${sixes.two}/64
ip -n ${client} route add default via 198.51.100.1
ip -n ${client} -6 route add default via fd00:51::1
for n in ${one} ${two}; do ip -n $n route add default via 192.168.0.1; ip -n $n -6 route add default via fd00:168::1; done
ip netns exec ${gateway} sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1`)
  }

  /** The output of the program in this namespace. Throws if it fails. */
  run(node: Node, command: string): string {
    return sh(`ip netns exec ${this.name(node)} ${command}`)
  }

  /** Starts a program in this namespace. It ends with the lab. */
  start(node: Node, words: readonly string[], options: { env?: Record<string, string> } = {}): ChildProcess {
    const child = spawn('ip', ['netns', 'exec', this.name(node), ...words], {
      env: { ...env, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.#keep(child)
    return child
  }

  /** Lets programs in the gateway's namespace reach a socket outside as this port of 127.0.0.1. */
  async relay(port: number, socket: string): Promise<void> {
    const relay = join(import.meta.dirname, 'relay.ts')
    const { stdout } = this.start('gateway', [process.execPath, relay, String(port), socket])
    if (stdout) await once(stdout, 'data')
  }

  /** Lets programs in the gateway's namespace reach this port of 127.0.0.1 outside as `port`, by way of a socket. */
  async bridge(port: number, socket: string, outside: number): Promise<void> {
    const relay = join(import.meta.dirname, 'relay.ts')
    const child = spawn(process.execPath, [relay, socket, String(outside)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#keep(child)
    await once(child.stdout, 'data')
    await this.relay(port, socket)
  }

  #keep(child: ChildProcess): void {
    this.#children.add(child)
    child.once('exit', () => this.#children.delete(child))
  }

  #peer(node: Node): Peer {
    const peer = this.#peers.get(node)
    if (peer) return peer
    const words = ['netns', 'exec', this.name(node), process.execPath, join(import.meta.dirname, 'peer.ts')]
    const child = spawn('ip', words, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    const waiting = new Map<number, (said: string) => void>()
    child.on('message', ({ id, said }: { id: number; said: string }) => {
      waiting.get(id)?.(said)
      waiting.delete(id)
    })
    this.#keep(child)
    this.#peers.set(node, { child, waiting })
    return { child, waiting }
  }

  #order(node: Node, order: Order): Promise<string> {
    const { child, waiting } = this.#peer(node)
    const id = this.#orders++
    return new Promise((resolve) => {
      waiting.set(id, resolve)
      child.send({ id, order })
    })
  }

  /** This node answers on these ports by HTTP and UDP. */
  serve(name: Node, ports: number[]): Promise<unknown> {
    return this.#order(name, { verb: 'serve', name, ports })
  }

  /** The answer to an HTTP request of this node, such as `one:8000 from 198.51.100.2`, or `silent`. */
  get(node: Node, request: Request): Promise<string> {
    return this.#order(node, { verb: 'get', ...request })
  }

  datagram(node: Node, request: Request): Promise<string> {
    return this.#order(node, { verb: 'datagram', ...request })
  }

  /** Sends the packets of this node, and waits for no answers. */
  send(node: Node, packets: readonly FirstPacket[]): Promise<string> {
    return this.#order(node, { verb: 'send', packets })
  }

  async remove(): Promise<void> {
    const ended = [...this.#children].map(async (child) => {
      const exit = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
      child.kill('SIGKILL')
      await exit
    })
    await Promise.all(ended)
    this.removeNow()
  }

  /** Also at the end of the process, where nothing is waited for. */
  removeNow(): void {
    for (const child of this.#children) child.kill('SIGKILL')
    const present = sh('ip netns list')
    removeNamespaces(nodes.map((node) => this.name(node)).filter((name) => present.includes(name)))
  }
}
