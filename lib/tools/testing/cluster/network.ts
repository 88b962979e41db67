import { execFileSync, spawnSync } from 'node:child_process'

/*
 * The private network of an experiment: a bridge, and a network namespace for each machine on it. It is made inside a namespace of its own
 * (lib/tools/testing/cluster/enclosure.ts), which has no way out and takes everything along when it ends.
 */

const NET = '10.77.0'

/** The address of the clients, which are on the bridge itself. */
export const CLIENT = `${NET}.1`

const groups = { etcd: 10, pg: 20, proxy: 30, pooler: 35, console: 40 } as const
type Group = keyof typeof groups
export type Machine = `${Group}${number}`

export const addressOf = (machine: Machine): string => {
  const [, group = '', number = ''] = /^([a-z]+)(\d+)$/.exec(machine) ?? []
  return `${NET}.${groups[group as Group] + Number(number)}`
}

export const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin`, LC_ALL: 'C.UTF-8' }

const sh = (script: string): string =>
  execFileSync('sh', ['-c', `set -e\n${script}`], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const nft = (rules: string): void => void execFileSync('nft', ['-f', '-'], { env, input: rules })

/** Packets between addresses are dropped on the bridge: senders get no error. */
const FILTER = `table bridge cluster {
set cut { type ipv4_addr . ipv4_addr
}
set lossy { type ipv4_addr
}
chain forward { type filter hook forward priority 0
ip saddr . ip daddr @cut drop
ip saddr @lossy numgen random mod 100 < 15 drop
}
}
`

export function makeNetwork(): void {
  sh(`ip link set lo up
ip link add br0 type bridge mcast_snooping 0
ip addr add ${CLIENT}/24 dev br0
ip link set br0 up`)
  nft(FILTER)
}

export function addMachine(machine: Machine): void {
  sh(`ip netns add ${machine}
ip -n ${machine} link set lo up
ip link add ${machine} type veth peer name eth0 netns ${machine}
ip link set ${machine} master br0 up
ip -n ${machine} addr add ${addressOf(machine)}/24 dev eth0
ip -n ${machine} link set eth0 up`)
}

/** The ids of all processes of a machine. */
export const processesOf = (machine: Machine): number[] =>
  sh(`ip netns pids ${machine}`).split('\n').filter(Boolean).map(Number)

const bothWays = (machine: Machine, others: readonly Machine[]): string =>
  others
    .map(addressOf)
    .flatMap((other) => [`${addressOf(machine)} . ${other}`, `${other} . ${addressOf(machine)}`])
    .join(', ')

/** Nothing passes between the machine and the others, until `healNetwork`. */
export function cut(machine: Machine, others: readonly Machine[]): void {
  const pairs = bothWays(
    machine,
    others.filter((other) => other !== machine),
  )
  nft(`add element bridge cluster cut { ${pairs} }\n`)
}

/** Drops a part of the packets that this machine sends. */
export const makeLossy = (machine: Machine): void =>
  nft(`add element bridge cluster lossy { ${addressOf(machine)} }\n`)

/** Ends all cuts and losses. */
export const healNetwork = (): void => nft('flush set bridge cluster cut\nflush set bridge cluster lossy\n')

const delay = 'netem delay 120ms 60ms'
/** Where the kernel has no netem. */
const narrow = 'tbf rate 400kbit burst 8kb latency 500ms'

/** Delays the packets that this machine sends. False if the kernel cannot. */
export const slowDown = (machine: Machine): boolean =>
  [delay, narrow].some(
    (how) =>
      spawnSync('sh', ['-c', `ip netns exec ${machine} tc qdisc replace dev eth0 root ${how}`], {
        env,
      }).status === 0,
  )

export const speedUp = (machine: Machine): void =>
  void spawnSync('ip', ['netns', 'exec', machine, 'tc', 'qdisc', 'del', 'dev', 'eth0', 'root'], { env })
