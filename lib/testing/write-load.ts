import { setTimeout as delay } from 'node:timers/promises'
import { type ApiProcess, ask, type Question } from '#lib/testing/api-process'
import { tokenOf } from '#lib/testing/session'
import { adminNick, adminPassword } from '#lib/testing/settings'

/*
 * Writers that go on whatever happens to the server and its database, and what must be there afterwards. Every second change has many
 * parts: a run of NAT IPs, the totals that it changes, and its event.
 */

const WRITERS = 4
/** NAT IPs that are made by one request. */
const RUN = 20

export type Outcome = {
  /** What the answer names, where it is an acknowledgement. */
  made: string[]
  /** 0: there was no answer. */
  status: number
  began: number
  ended: number
}

export type Load = {
  outcomes: Outcome[]
  /** Waits until so many writes that began after this time are acknowledged. */
  reaches: (count: number, since?: number) => Promise<void>
  end: () => Promise<void>
}

type Server = Pick<ApiProcess, 'url'>

const as = { nick: adminNick, password: adminPassword }

export const isAcknowledged = ({ status }: Outcome): boolean => status === 201

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await isSo()); await delay(20))
    if (Date.now() > deadline) throw new Error('it has taken too long')
}

/** Writes to whatever `server` gives at the time. */
export async function startLoad(server: () => Server): Promise<Load> {
  const headers = { authorization: `Token ${tokenOf(await ask(server(), '/api/login', { as }))}` }
  const network = await newNetwork(server(), headers)
  const outcomes: Outcome[] = []
  let isOver = false
  const write = async (writer: number) => {
    for (let count = 0; !isOver; count += 1) {
      const body = count % 2 === 0 ? { name: `Written ${writer}-${count}`, location: '' } : { numips: RUN }
      const path = count % 2 === 0 ? '/api/admin/datacenters' : `${network}/ips`
      const outcome = await attempt(server(), path, { headers, body })
      outcomes.push(outcome)
      if (!isAcknowledged(outcome)) await delay(20)
    }
  }
  const all = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  const acknowledged = (since: number) =>
    outcomes.filter((outcome) => outcome.began > since && isAcknowledged(outcome)).length
  return {
    outcomes,
    reaches: async (count, since = 0) => {
      await Promise.race([all, until(() => acknowledged(since) >= count)])
    },
    end: async () => {
      isOver = true
      await all
    },
  }
}

async function attempt(server: Server, path: string, question: Question): Promise<Outcome> {
  const began = performance.now()
  try {
    const answer = await ask(server, path, question)
    const made = namesOf(await answer.json())
    return { made, status: answer.status, began, ended: performance.now() }
  } catch {
    return { made: [], status: 0, began, ended: performance.now() }
  }
}

type Document = { name?: string; ip?: string; collection?: { ip?: string }[] }

const namesOf = ({ name, ip, collection = [] }: Document): string[] =>
  [name, ip, ...collection.map((item) => item.ip)].filter((each) => each !== undefined)

/** A NAT network, with all that it needs; its address. */
async function newNetwork(server: Server, headers: Record<string, string>): Promise<string> {
  const read = async (path: string) => (await ask(server, path, { headers })).json()
  const make = async (path: string, body: object) => {
    const answer = await ask(server, path, { headers, body })
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return ((await answer.json()) as { id: number }).id
  }
  const { collection } = (await read('/api/config/devicetypes')) as {
    collection: { id: number; name: string }[]
  }
  const type = collection.find(({ name }) => name === 'LOGICAL')?.id
  const datacenter = await make('/api/admin/datacenters', { name: 'Of the network', location: '' })
  const devices = `/api/cloud/locations/${datacenter}/devices`
  const typeLink = { rel: 'devicetype', href: `${server.url}/api/config/devicetypes/${type}` }
  const device = await make(devices, { name: 'Gateway', links: [typeLink] })
  const networks = `/api/admin/datacenters/${datacenter}/natnetworks`
  const links = [{ rel: 'device', href: `${server.url}${devices}/${device}` }]
  return `${networks}/${await make(networks, { name: 'Written', cidr: '100.64.0.0/10', links })}`
}

/** What of a load was acknowledged and is not there, and what is there by half. */
export async function inspect(
  server: Server,
  outcomes: readonly Outcome[],
): Promise<{ present: number; lost: string[]; half: string[] }> {
  const list = async (path: string) => {
    const answer = await ask(server, path, { as })
    return (await answer.json()) as { totalSize: number; collection: Record<string, string>[] }
  }
  const datacenters = await list('/api/admin/datacenters?limit=0')
  const events = await list('/api/events?entity=datacenter&action=create&limit=0')
  const id = datacenters.collection.find(({ name }) => name === 'Of the network')?.id
  const ips = await list(`/api/admin/datacenters/${id}/natnetworks/action/allips?limit=0`)
  const names = datacenters.collection.map(({ name = '' }) => name)
  const there = new Set([...names, ...ips.collection.map(({ ip = '' }) => ip)])
  const inEvents = new Set(events.collection.map(({ entityName }) => entityName))
  const half = [
    ...(inEvents.size === names.length
      ? names.filter((name) => !inEvents.has(name))
      : ['events of datacenters']),
    ...(ips.collection.length === ips.totalSize ? [] : ['total of NAT IPs']),
    ...(ips.collection.length % RUN === 0 ? [] : ['run of NAT IPs']),
  ]
  const acknowledged = outcomes.filter(isAcknowledged)
  const lost = acknowledged.flatMap(({ made }) => made).filter((each) => !there.has(each))
  return { present: names.length - 1 + ips.collection.length / RUN, lost, half }
}
