import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { addMachine, addressOf, type Machine } from '#lib/tools/testing/cluster/network'
import { Program, signalAll } from '#lib/tools/testing/cluster/programs'
import { serverAccount } from '#lib/tools/testing/postgres'
import { findPostgres } from '#lib/tools/testing/programs'

/* PostgreSQL under Patroni on three machines, with etcd, which stores the name of the primary. */

/** Where programs keep their files, and where they log. */
export type Folders = { data: string; logs: string }

export type DatabaseNode = `pg${number}`

/** The roles that Patroni reports. */
export type Role = 'leader' | 'sync_standby' | 'replica'

/** Seconds: a leader that has not renewed its key is replaced. */
const TTL = 8

export class DatabaseCluster {
  readonly nodes: readonly DatabaseNode[] = ['pg1', 'pg2', 'pg3']
  readonly etcd: readonly Machine[]
  readonly #folders: Folders
  readonly #isStrict: boolean
  readonly #programs = new Map<Machine, Program[]>()

  /** Strict: without a replica that confirms, nothing is acknowledged. */
  constructor(folders: Folders, { members, isStrict }: { members: 1 | 3; isStrict: boolean }) {
    this.#folders = folders
    this.#isStrict = isStrict
    this.etcd = Array.from({ length: members }, (_, at): Machine => `etcd${at + 1}`)
    for (const member of this.etcd) {
      addMachine(member)
      this.#programs.set(member, [this.#etcdProgram(member)])
    }
    for (const node of this.nodes) {
      addMachine(node)
      this.#programs.set(node, [this.#patroniProgram(node)])
    }
  }

  #own(folder: string): string {
    const path = join(this.#folders.data, folder)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const account = serverAccount()
    if (account) chownSync(path, account.uid, account.gid)
    return path
  }

  #etcdProgram(member: Machine): Program {
    const peers = this.etcd.map((each) => `${each}=http://${addressOf(each)}:2380`).join()
    const address = addressOf(member)
    const words = [
      ...['etcd', '--name', member, '--data-dir', this.#own(member), '--initial-cluster', peers],
      ...[
        '--listen-client-urls',
        `http://${address}:2379`,
        '--advertise-client-urls',
        `http://${address}:2379`,
      ],
      ...['--listen-peer-urls', `http://${address}:2380`],
      ...['--initial-advertise-peer-urls', `http://${address}:2380`, '--logger', 'zap', '--enable-v2'],
    ]
    return new Program(member, words, { logs: this.#folders.logs, name: member })
  }

  #patroniProgram(node: DatabaseNode): Program {
    const file = join(this.#own(node), 'patroni.yml')
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(this.#settingsOf(node), null, 1))
    return new Program(node, ['patroni', file], { logs: this.#folders.logs, name: node })
  }

  #settingsOf(node: DatabaseNode) {
    const address = addressOf(node)
    const folder = this.#own(node)
    const trust = [
      'local all all trust',
      'host all all 0.0.0.0/0 trust',
      'host replication all 0.0.0.0/0 trust',
    ]
    return {
      scope: 'console',
      name: node,
      restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
      etcd: { hosts: this.etcd.map((member) => `${addressOf(member)}:2379`) },
      bootstrap: {
        dcs: {
          ttl: TTL,
          loop_wait: 1,
          retry_timeout: 3,
          master_start_timeout: 0,
          // A primary whose commits wait goes on writing into its log.
          maximum_lag_on_failover: 2 ** 26,
          synchronous_mode: true,
          synchronous_mode_strict: this.#isStrict,
          postgresql: { use_pg_rewind: true, use_slots: true, parameters: clusterSettings },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, { auth: 'trust' }],
      },
      postgresql: {
        listen: `${address}:5432`,
        connect_address: `${address}:5432`,
        data_dir: join(folder, 'data'),
        bin_dir: dirname(findPostgres()?.postgres ?? ''),
        pgpass: join(folder, 'pgpass'),
        pg_hba: trust,
        authentication: {
          superuser: { username: 'postgres', password: 'of the lab' },
          replication: { username: 'replicator', password: 'of the lab' },
        },
        parameters: { unix_socket_directories: folder },
      },
    }
  }

  /** Also runs on this machine from now on, and is started again with it. */
  addProgram(machine: Machine, program: Program): void {
    this.#programs.set(machine, [...(this.#programs.get(machine) ?? []), program])
  }

  startMachine(machine: Machine): void {
    for (const program of this.#programs.get(machine) ?? []) if (!program.isRunning()) program.start()
  }

  killMachine(machine: Machine): void {
    signalAll(machine, 'SIGKILL')
  }

  async start(): Promise<void> {
    for (const machine of [...this.etcd, ...this.nodes]) this.startMachine(machine)
    if (!(await this.settles(120_000))) throw new Error('the database has not started')
  }

  /** Waits until there are a primary and two replicas, one of which confirms commits. False if that takes longer. */
  async settles(patience: number): Promise<boolean> {
    const isSettled = async () => {
      const roles = [...(await this.roles()).values()].toSorted()
      return roles.join() === 'leader,replica,sync_standby'
    }
    for (const deadline = Date.now() + patience; !(await isSettled()); await delay(300))
      if (Date.now() > deadline) return false
    return true
  }

  /** The role of each running node, from the first node that answers. */
  async roles(): Promise<Map<DatabaseNode, Role>> {
    const answers = this.nodes.map(async (node) => {
      const answer = await fetch(`http://${addressOf(node)}:8008/cluster`, {
        signal: AbortSignal.timeout(2000),
      })
      const { members = [] } = (await answer.json()) as { members?: Member[] }
      return members.filter(({ state }) => state === 'running' || state === 'streaming')
    })
    const members = await Promise.any(answers).catch(() => [])
    return new Map(members.map(({ name, role }) => [name, role]))
  }

  /** The node that holds the leader's key in etcd. */
  async leader(): Promise<DatabaseNode | undefined> {
    const answers = this.etcd.map(async (member) => {
      const url = `http://${addressOf(member)}:2379/v2/keys/service/console/leader?quorum=true`
      const answer = await fetch(url, { signal: AbortSignal.timeout(2000) })
      return ((await answer.json()) as { node?: { value: DatabaseNode } }).node?.value
    })
    return Promise.any(answers).catch(() => undefined)
  }

  /** Asks Patroni to make another node the primary. */
  async switchOver(): Promise<void> {
    const roles = [...(await this.roles())]
    const leader = roles.find(([, role]) => role === 'leader')?.[0]
    const candidate = roles.find(([, role]) => role === 'sync_standby')?.[0]
    if (!leader || !candidate) return
    const body = JSON.stringify({ leader, candidate })
    const headers = { 'content-type': 'application/json' }
    const url = `http://${addressOf(leader)}:8008/switchover`
    await fetch(url, { method: 'POST', body, headers, signal: AbortSignal.timeout(20_000) }).catch(() => {})
  }
}

type Member = { name: DatabaseNode; role: Role; state: string }

const clusterSettings = {
  max_connections: 150,
  shared_buffers: '32MB',
  wal_log_hints: 'on',
  wal_keep_size: '256MB',
  max_wal_size: '256MB',
  checkpoint_timeout: '30s',
  // The files are in memory.
  fsync: 'off',
}

/** Runs one statement on a node itself. */
export async function queryNode<R extends object>(node: DatabaseNode, text: string): Promise<R[]> {
  const client = new pg.Client({
    connectionString: `postgres://postgres@${addressOf(node)}/postgres`,
    connectionTimeoutMillis: 2000,
    query_timeout: 20_000,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<R>(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}
