import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '#lib/tools/sample/random'
import type { Console } from '#lib/tools/testing/cluster/consoles'
import { type DatabaseCluster, type DatabaseNode, queryNode } from '#lib/tools/testing/cluster/database'
import {
  cut,
  healNetwork,
  type Machine,
  makeLossy,
  slowDown,
  speedUp,
} from '#lib/tools/testing/cluster/network'
import { one } from '#lib/tools/testing/cluster/pick'
import { signalAll } from '#lib/tools/testing/cluster/programs'
import type { Proxies } from '#lib/tools/testing/cluster/ways'

/* The faults of an experiment. Each fault lasts a while and is then healed. */

export type Lab = {
  database: DatabaseCluster
  proxies: Proxies
  consoles: readonly Console[]
  random: Random
}

/** Ends a fault. */
export type Heal = () => void | Promise<void>

export type Fault = {
  /** `long`: until another node has become the primary. */
  lasts: 'short' | 'long'
  /** Commits become visible that no replica has confirmed. */
  isUnsure?: true
  begin: (lab: Lab, primary: DatabaseNode) => Promise<Heal> | Heal
}

const allMachines = ({ database, proxies, consoles }: Lab): Machine[] => [
  ...database.etcd,
  ...database.nodes,
  ...proxies.machines,
  ...consoles.map(({ machine }) => machine),
]

const others = ({ database }: Lab, primary: DatabaseNode): DatabaseNode[] =>
  database.nodes.filter((node) => node !== primary)

function killed({ database }: Lab, machines: readonly Machine[]): Heal {
  for (const machine of machines) database.killMachine(machine)
  return () => {
    for (const machine of machines) database.startMachine(machine)
  }
}

function stopped(machine: Machine): Heal {
  signalAll(machine, 'SIGSTOP')
  return () => signalAll(machine, 'SIGCONT')
}

function cutOff(machine: Machine, from: readonly Machine[]): Heal {
  cut(machine, from)
  return healNetwork
}

/** Ends the waits of commits for the replica: they are done here, and may never be there. */
const WAITING = `from pg_stat_activity where wait_event = 'SyncRep'`

/** Commits wait because no replica answers, until an administrator cancels the wait; then the primary dies. */
async function impatient(lab: Lab, primary: DatabaseNode, how: 'cancel' | 'terminate'): Promise<Heal> {
  cut(primary, others(lab, primary))
  for (let count = 0; count < 6; count += 1) {
    await delay(700)
    await queryNode(primary, `select pg_${how}_backend(pid) ${WAITING}`).catch(() => {})
  }
  const restart = killed(lab, [primary])
  return () => {
    healNetwork()
    return restart()
  }
}

const consoleOf = ({ consoles, random }: Lab): Console => one(random, consoles)

const single = {
  'primary killed': { lasts: 'long', begin: (lab, primary) => killed(lab, [primary]) },
  'PostgreSQL of the primary killed': {
    lasts: 'short',
    begin: (_lab, primary) => {
      signalAll(primary, 'SIGKILL', 'postgres')
      return () => {}
    },
  },
  'primary stopped': { lasts: 'long', begin: (_lab, primary) => stopped(primary) },
  'primary cut off': { lasts: 'long', begin: (lab, primary) => cutOff(primary, allMachines(lab)) },
  'primary cut off from replicas': {
    lasts: 'long',
    begin: (lab, primary) => cutOff(primary, others(lab, primary)),
  },
  'primary cut off from etcd': {
    lasts: 'long',
    begin: ({ database }, primary) => cutOff(primary, database.etcd),
  },
  'replica killed': {
    lasts: 'short',
    begin: (lab, primary) => killed(lab, [one(lab.random, others(lab, primary))]),
  },
  'replica cut off': {
    lasts: 'long',
    begin: (lab, primary) => cutOff(one(lab.random, others(lab, primary)), allMachines(lab)),
  },
  'all replicas killed': { lasts: 'long', begin: (lab, primary) => killed(lab, others(lab, primary)) },
  'waits cancelled, primary killed': {
    lasts: 'long',
    isUnsure: true,
    begin: (lab, primary) => impatient(lab, primary, 'cancel'),
  },
  'waits terminated, primary killed': {
    lasts: 'long',
    isUnsure: true,
    begin: (lab, primary) => impatient(lab, primary, 'terminate'),
  },
  'connections ended': {
    lasts: 'short',
    begin: async (_lab, primary) => {
      const clients = `from pg_stat_activity where backend_type = 'client backend' and application_name like 'cloud-%'`
      await queryNode(primary, `select pg_terminate_backend(pid) ${clients}`).catch(() => {})
      return () => {}
    },
  },
  switchover: {
    lasts: 'short',
    begin: async ({ database }) => {
      await database.switchOver()
      return () => {}
    },
  },
  'etcd killed': { lasts: 'short', begin: (lab) => killed(lab, lab.database.etcd) },
  'console killed': {
    lasts: 'short',
    begin: async (lab) => {
      const console = consoleOf(lab)
      await console.kill()
      return () => console.start()
    },
  },
  'console stopped': { lasts: 'long', begin: (lab) => stopped(consoleOf(lab).machine) },
  'console cut off from the database': {
    lasts: 'long',
    begin: (lab) => cutOff(consoleOf(lab).machine, [...lab.database.nodes, ...lab.proxies.machines]),
  },
  'HAProxy killed': {
    lasts: 'short',
    begin: async ({ proxies }) => {
      await proxies.restart('proxy1')
      return () => {}
    },
  },
  'PgBouncer killed': {
    lasts: 'short',
    begin: async ({ proxies }) => {
      await proxies.restart('pooler1')
      return () => {}
    },
  },
  'slow network': {
    lasts: 'long',
    begin: ({ database }) => {
      for (const node of database.nodes) slowDown(node)
      return () => database.nodes.forEach(speedUp)
    },
  },
  'lossy network': {
    lasts: 'long',
    begin: (_lab, primary) => {
      makeLossy(primary)
      return healNetwork
    },
  },
} satisfies Record<string, Fault>

/** Faults that follow each other: the second one hits the state left by the first. */
async function two(lab: Lab, primary: DatabaseNode): Promise<Heal> {
  const [one, other] = shuffled(
    lab.random,
    Object.values<Fault>(single).filter(({ isUnsure }) => !isUnsure),
  )
  const heals = [await one?.begin(lab, primary), await other?.begin(lab, primary)]
  return async () => {
    for (const heal of heals) await heal?.()
  }
}

export const faults: Record<string, Fault> = { ...single, 'two at once': { lasts: 'long', begin: two } }

export function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const left = [...items]
  return Array.from(items, () => left.splice(random.below(left.length), 1)).flat()
}
