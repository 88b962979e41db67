import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '#lib/tools/sample/random'
import type { Console } from '#lib/tools/testing/cluster/consoles'
import type { Asked, ClientOperation, History, Reply } from '#lib/tools/testing/cluster/history'
import { one } from '#lib/tools/testing/cluster/pick'
import type { ClientFixture } from '#lib/tools/testing/cluster/place'
import { type Answer, type Sent, send } from '#lib/tools/testing/cluster/requests'

/*
 * Clients that continue after any failure. Each request goes to another console, so a write acknowledged by one console is read from
 * others.
 */

/** IPs of one run, and of one bulk change. */
const RUN = 8
/** Scopes of one plan. */
const PLANNED = 4

export type Experiment = { consoles: readonly Console[]; place: ClientFixture; history: History }

type Effect<A extends Asked> = A extends { effect: string } ? Omit<A, 'effect'> : never
/** A change before it has an effect's name. */
type Wanted = Effect<Asked>

const nothing = (): Reply => ({})

const ipsOf = ({ document }: Answer): Reply => ({
  ips: (document.collection ?? (document.id === undefined ? [] : [document as { ip?: string }])).flatMap(
    ({ ip }) => ip ?? [],
  ),
})

const idOf = ({ document: { id } }: Answer): Reply => (id === undefined ? {} : { id })

export class Client {
  readonly #experiment: Experiment
  readonly #random: Random
  readonly #number: number
  #serial = 0
  /** Runs of IPs of this client's network that are not in quarantine yet. */
  #runs: { ip: string; id: number }[][] = []

  constructor(experiment: Experiment, number: number, random: Random) {
    this.#experiment = experiment
    this.#number = number
    this.#random = random
  }

  async run(until: () => boolean): Promise<void> {
    const works: readonly [number, () => Promise<unknown>][] = [
      [5, () => this.#create()],
      [4, () => this.#take()],
      [2, () => this.#claim()],
      [3, () => this.#takeRun()],
      [3, () => this.#bulk()],
      [6, () => this.#write()],
      [8, () => this.#read()],
      [2, () => this.#list()],
      [1, () => this.#plan()],
      [3, () => this.#undo()],
    ]
    const bag = works.flatMap(([weight, work]) => Array.from({ length: weight }, () => work))
    while (!until()) {
      const before = this.#experiment.history.now()
      await one(this.#random, bag)()
      // A console that is away answers at once.
      await delay(this.#experiment.history.now() - before < 20 ? 150 : 60)
    }
  }

  #console(): Console {
    return one(this.#random, this.#experiment.consoles)
  }

  /** A name that nothing else has. */
  #name(word: string): string {
    this.#serial += 1
    return `${word} ${this.#number}-${this.#serial}`
  }

  async #keep(asked: Asked, sent: Sent, reply: (answer: Answer) => Reply = nothing) {
    const console = this.#console()
    const by = { client: this.#number, console: `${console.machine} (${console.way})` }
    let answer: Answer | undefined
    const operation = await this.#experiment.history.keep(asked, by, async () => {
      answer = await send(console, this.#experiment.place.token, sent)
      const { status, outcome, codes } = answer
      // That something is not there is an answer to a client that looks for it.
      if (asked.op === 'find' && status === 404) return { status, outcome: 'ok', present: false }
      return { status, outcome, ...(codes && { codes }), ...(outcome === 'ok' && reply(answer)) }
    })
    return { operation, answer }
  }

  /**
   * A change, mostly with an Idempotency-Key, which is then sent again while its outcome is unknown, and sometimes although it is known.
   * The answer of the first success.
   */
  async #change(wanted: Wanted, sent: Sent, reply: (answer: Answer) => Reply): Promise<Answer | undefined> {
    const isKeyed = this.#random.chance(0.7)
    const key = this.#name('key').replace(' ', '-')
    const asked = (): Asked => ({ ...wanted, effect: isKeyed ? key : this.#name('once') })
    const request = isKeyed ? { ...sent, key } : sent
    let { operation, answer } = await this.#keep(asked(), request, reply)
    if (!isKeyed) return operation.outcome === 'ok' ? answer : undefined
    for (let left = 4; left > 0 && this.#isWorthRepeating(operation); left -= 1) {
      await delay(100 + this.#random.below(900))
      const again = await this.#keep(asked(), request, reply)
      operation = again.operation
      if (again.operation.outcome === 'ok') answer = again.answer
    }
    return answer?.outcome === 'ok' ? answer : undefined
  }

  #isWorthRepeating({ outcome, codes = '' }: ClientOperation): boolean {
    if (outcome === 'ok') return this.#random.chance(0.1)
    return outcome === 'unknown' || codes.includes('IDEMPOTENCY-3')
  }

  /** A datacenter, which is looked for at once and later. */
  async #create(): Promise<void> {
    const name = this.#name('Datacenter')
    const body = { name, location: '' }
    const answer = await this.#change({ op: 'create', name }, { path: '/api/admin/datacenters', body }, idOf)
    const { id } = answer?.document ?? {}
    if (id === undefined) return
    for (let count = 0; count < 2; count += 1)
      await this.#keep({ op: 'find', name }, { path: `/api/admin/datacenters/${id}` }, () => ({
        present: true,
      }))
  }

  /** Addresses that several clients take at once: the lowest free ones of a shared network. */
  async #take(): Promise<void> {
    const network = 'shared'
    const count = 1 + this.#random.below(3)
    const path = `${this.#experiment.place.networks[network]}/ips`
    await this.#change({ op: 'take', network, count }, { path, body: { numips: count } }, ipsOf)
  }

  /** One address, which two consoles are asked for at once. */
  async #claim(): Promise<void> {
    const network = 'claims'
    const ip = `100.66.${this.#random.below(60)}.${1 + this.#random.below(200)}`
    const path = `${this.#experiment.place.networks[network]}/ips`
    const claim = () => this.#change({ op: 'take', network, count: 1, ip }, { path, body: { ip } }, ipsOf)
    await Promise.all([claim(), claim()])
  }

  get #own(): string {
    return `own ${this.#number}`
  }

  async #takeRun(): Promise<void> {
    const path = `${this.#experiment.place.networks[this.#own]}/ips`
    const wanted: Wanted = { op: 'take', network: this.#own, count: RUN }
    const answer = await this.#change(wanted, { path, body: { numips: RUN } }, ipsOf)
    const run = (answer?.document.collection ?? []).map(({ id, ip = '' }) => ({ id, ip }))
    if (run.length > 0) this.#runs.push(run)
  }

  async #bulk(): Promise<void> {
    const run = this.#runs.shift()
    if (!run) return this.#takeRun()
    const path = `/api/admin/datacenters/${this.#experiment.place.datacenter}/natnetworks/action/changeips`
    const wanted: Wanted = { op: 'bulk', network: this.#own, ips: run.map(({ ip }) => ip) }
    await this.#change(wanted, { path, body: { ids: run.map(({ id }) => id), quarantine: true } }, nothing)
  }

  #register(): string {
    return one(this.#random, Object.keys(this.#experiment.place.registers))
  }

  async #read(register = this.#register()): Promise<{ value: number; etag?: string } | undefined> {
    const path = this.#experiment.place.registers[register] ?? ''
    const { answer } = await this.#keep({ op: 'read', register }, { path }, registerIn)
    if (answer?.outcome !== 'ok') return undefined
    return { value: registerIn(answer).value ?? 0, ...(answer.etag && { etag: answer.etag }) }
  }

  /** The next value, if no other client has written meanwhile. */
  async #write(register = this.#register()): Promise<boolean> {
    const present = await this.#read(register)
    if (!present?.etag) return false
    const value = present.value + 1
    const text = `${value} ${this.#name('by')}`
    const path = this.#experiment.place.registers[register] ?? ''
    const body = { name: register, location: text }
    const wanted: Asked = { op: 'write', register, value, text, effect: this.#name('write') }
    const sent = { path, method: 'PUT', body, match: present.etag }
    return (await this.#keep(wanted, sent)).operation.outcome === 'ok'
  }

  /** A full export of a network. */
  async #list(): Promise<void> {
    const network = one(this.#random, ['shared', this.#own])
    const path = `${this.#experiment.place.networks[network]}/ips?limit=0`
    await this.#keep(
      { op: 'list', network },
      { path },
      ({ document: { collection = [], totalSize = -1 } }) => ({
        ips: collection.flatMap(({ ip }) => ip ?? []),
        total: totalSize,
      }),
    )
  }

  /** Scopes, by a plan that two consoles are asked to apply at once. */
  async #plan(): Promise<void> {
    const name = this.#name('Scope')
    const parts = Array.from({ length: PLANNED }, (_, part) => `${name} ${part}`)
    const scopes = parts.map((each, part) => ({ name: each, ...(part > 0 && { parent: parts[0] }) }))
    const { token } = this.#experiment.place
    const made = await send(this.#console(), token, { path: '/api/plans', body: { scopes } })
    const plan = made.document.id
    if (made.outcome !== 'ok' || plan === undefined) return
    const path = `/api/plans/${plan}/action/apply`
    const apply = () => this.#change({ op: 'plan', plan, parts }, { path, body: {} }, nothing)
    await Promise.all(this.#random.chance(0.5) ? [apply(), apply()] : [apply()])
  }

  /** Creates a datacenter of its own, changes it, and has that undone by two consoles at once. */
  async #undo(): Promise<void> {
    const { token } = this.#experiment.place
    const name = this.#name('Undone')
    const made = await send(this.#console(), token, {
      path: '/api/admin/datacenters',
      body: { name, location: 'before' },
    })
    const { id } = made.document
    if (made.outcome !== 'ok' || id === undefined) return
    const path = `/api/admin/datacenters/${id}`
    const changed = await send(this.#console(), token, {
      path,
      method: 'PUT',
      body: { name, location: 'after' },
    })
    if (changed.outcome !== 'ok') return
    const query = `entity=datacenter&entityid=${id}&action=update&limit=1`
    const events = await send(this.#console(), token, { path: `/api/events?${query}` })
    const event = events.document.collection?.[0]?.id
    if (event === undefined) return
    const undo = () =>
      this.#change({ op: 'undo', event }, { path: `/api/events/${event}/action/undo`, body: {} }, nothing)
    await Promise.all([undo(), undo()])
  }
}

/** The value of a register is the number at the beginning of the datacenter's location. */
const registerIn = ({ document: { location = '' } }: Answer): Reply => ({
  value: Number(location.split(' ', 1)[0]),
  text: location,
})
