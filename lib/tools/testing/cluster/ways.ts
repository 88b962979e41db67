import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseCluster, Folders } from '#lib/tools/testing/cluster/database'
import { addMachine, addressOf, type Machine } from '#lib/tools/testing/cluster/network'
import { Program } from '#lib/tools/testing/cluster/programs'

/* The ways in which a console reaches the primary. */

export const ways = {
  hosts: 'all hosts in DATABASE_URL',
  haproxy: 'through HAProxy, which asks Patroni for the primary',
  pgbouncer: 'through PgBouncer in front of HAProxy',
  'pgbouncer on each node': 'all hosts in DATABASE_URL, with a PgBouncer on each',
} as const
export type Way = keyof typeof ways

const PROXY = 'proxy1' satisfies Machine
const POOLER = 'pooler1' satisfies Machine

export const urlOf = (way: Way, { nodes }: DatabaseCluster): string => {
  const hosts = {
    hosts: nodes.map(addressOf).join(),
    haproxy: `${addressOf(PROXY)}:5000`,
    pgbouncer: `${addressOf(POOLER)}:6432`,
    'pgbouncer on each node': nodes.map((node) => `${addressOf(node)}:6432`).join(),
  }
  return `postgres://postgres@${hosts[way]}/postgres`
}

const haproxySettings = ({ nodes }: DatabaseCluster): string => `
defaults
  mode tcp
  timeout connect 2s
  timeout check 1s
  timeout client 1h
  timeout server 1h
listen primary
  bind ${addressOf(PROXY)}:5000
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `  server ${node} ${addressOf(node)}:5432 check port 8008`).join('\n')}
`

const pgbouncerSettings = (machine: Machine, server: string): string => `
[databases]
* = ${server}
[pgbouncer]
listen_addr = ${addressOf(machine)}
listen_port = 6432
unix_socket_dir =
auth_type = any
pool_mode = session
default_pool_size = 100
max_client_conn = 400
server_connect_timeout = 2
server_login_retry = 1
server_reset_query = DISCARD ALL
`

/** The proxies in front of a database, which a fault can restart. */
export class Proxies {
  readonly machines: readonly Machine[] = [PROXY, POOLER]
  readonly #programs = new Map<Machine, Program>()
  readonly #folders: Folders

  constructor(database: DatabaseCluster, folders: Folders) {
    this.#folders = folders
    for (const machine of this.machines) addMachine(machine)
    const haproxy = this.#write('haproxy.cfg', haproxySettings(database))
    this.#programs.set(PROXY, new Program(PROXY, ['haproxy', '-db', '-f', haproxy], this.#named(PROXY)))
    const server = `host=${addressOf(PROXY)} port=5000 user=postgres`
    this.#programs.set(POOLER, this.#pgbouncer(POOLER, server))
    for (const node of database.nodes)
      database.addProgram(node, this.#pgbouncer(node, `host=${addressOf(node)} port=5432 user=postgres`))
  }

  #named(machine: Machine) {
    return { logs: this.#folders.logs, name: `${machine}-proxy` }
  }

  #write(name: string, text: string): string {
    const file = join(this.#folders.data, name)
    writeFileSync(file, text)
    return file
  }

  #pgbouncer(machine: Machine, server: string): Program {
    const file = this.#write(`${machine}-pgbouncer.ini`, pgbouncerSettings(machine, server))
    return new Program(machine, ['pgbouncer', file], this.#named(machine))
  }

  start(): void {
    for (const program of this.#programs.values()) program.start()
  }

  /** Ends it as `kill -9` does, and starts it again. */
  async restart(machine: Machine): Promise<void> {
    const program = this.#programs.get(machine)
    await program?.end('SIGKILL')
    program?.start()
  }
}
