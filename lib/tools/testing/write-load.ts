import { setTimeout as delay } from 'node:timers/promises'
import { type ApiProcess, ask, type Question } from '#lib/tools/testing/api-process'
import { tokenOf } from '#lib/tools/testing/session'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'

/*
 * Writers that continue after any failure of the server or its database: datacenters, runs of NAT IPs, bulk changes of such a run, plans of
 * several scopes, and reports of gateways (lib/tools/testing/written.ts checks the result afterwards).
 */

const WRITERS = 4
/** NAT IPs that are made, and then changed, by one request. */
export const RUN = 20
/** Scopes that are made by one plan. */
export const PLANNED = 5

/** The answer began, and its rows could not be read any more: no acknowledgement. */
export const BROKEN_OFF = -1

export type Outcome = {
  /** The state after the write, or none of it. The outcome of a run without an answer is unknown. */
  parts: string[]
  /** 0: there was no answer. BROKEN_OFF: not all of it. */
  status: number
  began: number
  ended: number
}

export type Load = {
  outcomes: Outcome[]
  /** Waits until this many writes that began after this time are acknowledged. */
  reaches: (count: number, since?: number) => Promise<void>
  end: () => Promise<void>
}

type Server = Pick<ApiProcess, 'url'>
type Answer = { status: number; document: Document }
type Document = { id?: number; collection?: { id: number; ip: string }[] }
type Send = (path: string, body: object, method?: 'POST' | 'PUT') => Promise<Answer>

const as = { nick: adminNick, password: adminPassword }

export const isAcknowledged = ({ status }: Outcome): boolean => status === 200 || status === 201

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await isSo()); await delay(20))
    if (Date.now() > deadline) throw new Error('it has taken too long')
}

export const datacenterName = (writer: number, count: number): string => `Written ${writer}-${count}`
export const isPlanned = (name: string): boolean => name.startsWith('Planned ')
export const quarantined = (id: number): string => `quarantined ${id}`
export const reported = (writer: number, count: number): string => `report ${writer}-${count}`
export const deviceName = (writer: number): string => `Gateway ${writer}`

type LoadTarget = { datacenter: number; network: string; devices: string[] }
type Written = { parts: string[]; status: number }

/** One writer. Its writes take turns, and each begins with another one. */
class Writer {
  readonly #send: Send
  readonly #place: LoadTarget
  readonly #number: number
  /** The NAT IPs of the last acknowledged run, until they are changed. */
  #run: number[] = []
  #reports = 0

  constructor(send: Send, place: LoadTarget, number: number) {
    this.#send = send
    this.#place = place
    this.#number = number
  }

  write(count: number): Promise<Written> {
    const writes = [
      () => this.#datacenter(count),
      () => this.#ips(),
      () => this.#bulk(),
      () => this.#plan(count),
      () => this.#report(),
    ]
    const next = writes[(count + this.#number) % writes.length] ?? (() => this.#ips())
    return next()
  }

  async #datacenter(count: number): Promise<Written> {
    const name = datacenterName(this.#number, count)
    return {
      parts: [name],
      status: (await this.#send('/api/admin/datacenters', { name, location: '' })).status,
    }
  }

  async #ips(): Promise<Written> {
    const { status, document } = await this.#send(`${this.#place.network}/ips`, { numips: RUN })
    const ips = document.collection ?? []
    if (status === 201) this.#run = ips.map(({ id }) => id)
    return { parts: ips.map(({ ip }) => ip), status }
  }

  async #bulk(): Promise<Written> {
    const ids = this.#run
    if (ids.length === 0) return this.#ips()
    this.#run = []
    const path = `/api/admin/datacenters/${this.#place.datacenter}/natnetworks/action/changeips`
    return { parts: ids.map(quarantined), status: (await this.#send(path, { ids, quarantine: true })).status }
  }

  async #plan(count: number): Promise<Written> {
    const parts = Array.from({ length: PLANNED }, (_, part) => `Planned ${this.#number}-${count} ${part}`)
    const [parent] = parts
    const scopes = parts.map((name) => (name === parent ? { name } : { name, parent }))
    const { status, document } = await this.#send('/api/plans', { scopes })
    if (status !== 201) return { parts, status }
    return { parts, status: (await this.#send(`/api/plans/${document.id}/action/apply`, {})).status }
  }

  /** The same report again until it is acknowledged, and each other status than the one before: an event for each. */
  async #report(): Promise<Written> {
    const count = this.#reports + 1
    const { status } = await this.#send(
      `${this.#place.devices[this.#number]}/state`,
      {
        revision: 0,
        interval: 86_400,
        translations: count,
        drift: count % 2 === 1 ? [{ reason: String(count) }] : [],
      },
      'PUT',
    )
    if (status === 200) this.#reports = count
    return { parts: [reported(this.#number, count)], status }
  }
}

/** Writes to whatever `server` gives at the time. */
export async function startLoad(server: () => Server): Promise<Load> {
  const headers = { authorization: `Token ${tokenOf(await ask(server(), '/api/login', { as }))}` }
  const place = await newPlace(server(), headers)
  const outcomes: Outcome[] = []
  let isOver = false
  const write = async (number: number) => {
    const writer = new Writer(
      (path, body, method) => sent(server(), path, { headers, body }, method),
      place,
      number,
    )
    for (let count = 0; !isOver; count += 1) {
      const began = performance.now()
      const outcome = { began, ...(await writer.write(count)), ended: performance.now() }
      outcomes.push(outcome)
      if (!isAcknowledged(outcome)) await delay(20)
    }
  }
  const all = Promise.all(Array.from({ length: WRITERS }, (_, number) => write(number)))
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

async function sent(server: Server, path: string, question: Question, method?: string): Promise<Answer> {
  try {
    const answer = await ask(server, path, question, method)
    const text = await answer.text().catch(() => undefined)
    if (text !== undefined) return { status: answer.status, document: JSON.parse(text) as Document }
    // The rows of a plan are read while they are sent, and break off with the database (docs/api/responses.md, "Response headers").
    return { status: answer.headers.has('content-length') ? 0 : BROKEN_OFF, document: {} }
  } catch {
    return { status: 0, document: {} }
  }
}

/** A NAT network with everything that it needs, and a device for each writer. */
async function newPlace(server: Server, headers: Record<string, string>): Promise<LoadTarget> {
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
  const newDevice = async (name: string) => `${devices}/${await make(devices, { name, links: [typeLink] })}`
  const networks = `/api/admin/datacenters/${datacenter}/natnetworks`
  const links = [{ rel: 'device', href: `${server.url}${await newDevice('Gateway')}` }]
  const network = `${networks}/${await make(networks, { name: 'Written', cidr: '100.64.0.0/10', links })}`
  const own: string[] = []
  for (let writer = 0; writer < WRITERS; writer += 1) own.push(await newDevice(deviceName(writer)))
  return { datacenter, network, devices: own }
}
