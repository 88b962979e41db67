import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { seeded } from '#lib/tools/sample/random'
import { check } from '#lib/tools/testing/cluster/check'
import { Client } from '#lib/tools/testing/cluster/clients'
import { Console, HOOK_PORT } from '#lib/tools/testing/cluster/consoles'
import { DatabaseCluster, type Folders } from '#lib/tools/testing/cluster/database'
import { catchesUp, readEnd, readJournal } from '#lib/tools/testing/cluster/ending'
import { faults, type Lab, shuffled } from '#lib/tools/testing/cluster/faults'
import { type Arrival, type End, History } from '#lib/tools/testing/cluster/history'
import { receiveHooks } from '#lib/tools/testing/cluster/hooks'
import { CLIENT, makeNetwork } from '#lib/tools/testing/cluster/network'
import { makePlace } from '#lib/tools/testing/cluster/place'
import type { Result } from '#lib/tools/testing/cluster/report'
import { Proxies, type Way, ways } from '#lib/tools/testing/cluster/ways'
import { follow } from '#lib/tools/testing/follower'

/* One experiment: a cluster, consoles on it, clients, and faults that the seed picks. */

const CONSOLES = 3
const CLIENTS = 5
/** Milliseconds in which a new primary may still reach the ids and transactions that the old one has used alone. */
const AFTERMATH = 15_000

export type Experiment = {
  seed: number
  seconds: number
  /** Only this kind of fault, or all of them. */
  kind: string | undefined
  folders: Folders
  tell: (line: string) => void
}

/** The ways take turns by the seed. */
const waysOf = (seed: number): Way[] => {
  const all = Object.keys(ways) as Way[]
  return Array.from({ length: CONSOLES }, (_, at) => all[(seed + at) % all.length] ?? 'hosts')
}

async function build({ seed, folders }: Experiment): Promise<Lab> {
  makeNetwork()
  const random = seeded(seed)
  const members = random.chance(0.5) ? 1 : 3
  const database = new DatabaseCluster(folders, { members, isStrict: random.chance(0.5) })
  const proxies = new Proxies(database, folders)
  proxies.start()
  await database.start()
  const consoles = waysOf(seed).map((way, at) => new Console(at + 1, way, database, folders))
  for (const console of consoles) await console.start()
  return { database, proxies, consoles, random }
}

export async function experiment(given: Experiment): Promise<Result> {
  const { seed, seconds, kind, folders, tell } = given
  mkdirSync(folders.logs, { recursive: true })
  tell(`Seed ${seed}: starting a cluster`)
  const lab = await build(given)
  const { consoles, database } = lab
  const url = () => ({ url: consoles.find((each) => each.url !== undefined)?.url ?? '' })
  const history = new History(join(folders.logs, 'history.jsonl'))
  const hooks = await receiveHooks(CLIENT, HOOK_PORT, () => history.now())
  const place = await makePlace(url(), CLIENTS)
  const feed: Arrival[] = []
  const follower = follow(() => ({ url: consoles[feed.length % consoles.length]?.url ?? '' }), {
    filter: '',
    heard: ({ id }) => void feed.push({ id, at: history.now() }),
  })
  tell(`Seed ${seed}: ${consoles.map(({ machine, way }) => `${machine} ${way}`).join(', ')}`)

  const deadline = performance.now() + seconds * 1000
  const isOver = () => performance.now() >= deadline
  const clients = Array.from({ length: CLIENTS }, (_, number) => {
    const own = seeded(seed * 1000 + number)
    return new Client({ consoles, place, history }, number, own).run(isOver)
  })
  const watch = watchPrimary(database, history, isOver)
  const { counts, unsure } = await disturb(lab, {
    history,
    kinds: kind ? [kind] : Object.keys(faults),
    isOver,
    tell,
  })
  await Promise.all([...clients, watch])
  await database.settles(90_000)
  for (const console of consoles) await console.start()
  const journal = await readJournal(database, history.start)
  await catchesUp(journal, feed, 60_000)
  await catchesUp(journal, hooks.events, 100_000)
  const there = await readEnd({ ...url(), start: history.start, place, database })
  const end = { ...there, feed, hooks: [...hooks.events], unsure }
  await follower.end()
  hooks.close()
  for (const console of consoles) await console.kill()
  const found = check(history.operations, end)
  history.note({ found })
  return {
    seed,
    ways: consoles.map(({ way }) => way),
    seconds,
    faults: counts,
    operations: history.operations,
    promotions: await watch,
    found,
  }
}

type Disturbance = { counts: Record<string, number>; unsure: End['unsure'] }

type Disturbing = {
  history: History
  kinds: readonly string[]
  isOver: () => boolean
  tell: (line: string) => void
}

/** One fault after another, each kind in turn, until the time is over. */
async function disturb(lab: Lab, { history, kinds, isOver, tell }: Disturbing): Promise<Disturbance> {
  const { database, random } = lab
  const counts: Record<string, number> = {}
  const unsure: [number, number][] = []
  let left: string[] = []
  await delay(3000)
  while (!isOver()) {
    if (left.length === 0) left = shuffled(random, kinds)
    const kind = left.shift() ?? ''
    const fault = faults[kind]
    const primary = await database.leader()
    if (!fault || !primary) {
      await delay(500)
      continue
    }
    tell(`${Math.round(history.now() / 1000)} s: ${kind} (${primary})`)
    history.note({ type: 'fault', kind, primary })
    counts[kind] = (counts[kind] ?? 0) + 1
    const began = history.now()
    const heal = await fault.begin(lab, primary)
    await delay(fault.lasts === 'long' ? 11_000 + random.below(5000) : 2000 + random.below(3000))
    await heal()
    history.note({ type: 'healed', kind })
    if (fault.isUnsure) unsure.push([began, history.now() + AFTERMATH])
    if (!(await database.settles(40_000))) history.note({ type: 'unsettled' })
    await delay(1000 + random.below(3000))
  }
  return { counts, unsure }
}

/** The times at which another node became the primary. */
async function watchPrimary(
  database: DatabaseCluster,
  history: History,
  isOver: () => boolean,
): Promise<number[]> {
  const promotions: number[] = []
  let known = await database.leader()
  while (!isOver()) {
    const leader = await database.leader()
    if (leader && leader !== known) {
      promotions.push(history.now())
      history.note({ type: 'promotion', leader })
      known = leader
    }
    await delay(400)
  }
  return promotions
}
