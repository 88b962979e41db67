import { readFile } from 'node:fs/promises'
import { announce } from '#lib/gateway/addresses'
import {
  type Api,
  ApiRefusal,
  findDevice,
  pastCounters,
  pause,
  pull,
  report,
  type Unconfirmed,
} from '#lib/gateway/api'
import { endConnections } from '#lib/gateway/connections'
import { Counters } from '#lib/gateway/counters'
import {
  type Desired,
  type Difference,
  differenceOf,
  type Element,
  elementsOf,
  type Refusal,
  type Translation,
} from '#lib/gateway/elements'
import type { Found } from '#lib/gateway/listing'
import { listen } from '#lib/gateway/monitor'
import {
  apply,
  findRefused,
  type Place,
  ProgramFailure,
  prepare,
  readBack,
  requireTables,
} from '#lib/gateway/nft'

/*
 * Makes the translations of a device true on this machine, and reports what it found (docs/gateway.md). It pulls, so that no address of this
 * machine need be reachable. When it ends, the table stays, and packets go on.
 */

export type Settings = {
  api: Api
  place: Place
  /** Reads and reports, and writes nothing. */
  isWatching: boolean
  /** Seconds. */
  interval: number
  /** The device that has the NAT IPs as addresses, if they are not routed to this machine. */
  announced: string | undefined
  version: string
  log: (line: string) => void
  signal: AbortSignal
}

/** Two translations with the same identity are one that has changed. */
const identityOf = ({ kind, rule, privateIp, natIp }: Translation): string =>
  rule === undefined ? `${kind} ${privateIp} ${natIp}` : String(rule)

/** The table is read at most for this part of the time: at 100,000 elements one reading takes seconds. */
const SHARE = 1 / 10
/** Drift, refusals and counters in one report: the API takes five times as many. */
const MOST = 1000
/** Characters of a reason in a report. */
const LONGEST = 1000

/** Milliseconds that the API has to take changes back first. */
const GRACE = 2000

type Refused = Map<string, { element: Element; reason: string }>

export class Gateway {
  readonly #settings: Settings
  #path = ''
  #revision: number | undefined
  /** The revision that is in force. */
  #applied: number | undefined
  #translations = new Map<string, Translation>()
  #desired: Desired = { elements: new Map(), refused: [] }
  /** What nft refused of what is desired now. It is asked again when that changes. */
  #refused: Refused = new Map()
  /** What was in force when it was last read or written. */
  #inForce: ReadonlyMap<string, Element> = new Map()
  #frame: string | undefined
  #isPrepared = false
  /** While watching: the chains or maps are not what they were at the start. */
  #isReframed = false
  readonly #counters = new Counters()
  #drift: Refusal[] = []
  #driftUntil = 0
  /** The API knows of the drift. */
  #isDriftKnown = true
  #isDue = true
  #isLate = false
  #lastReading = { end: 0, took: 0 }
  #wake = () => {}
  /** Ends a reading before its time, so that a change need not wait for it. Only each second reading ends so. */
  #interrupt: AbortController | undefined
  #wasInterrupted = false
  #reporting: Promise<void> | undefined
  #isReportDue = false
  readonly #said = new Map<string, string>()
  /** Takes back what is not confirmed. */
  #goingBack: NodeJS.Timeout | undefined

  constructor(settings: Settings) {
    this.#settings = settings
  }

  /** Until the signal comes. Throws where this process may not touch the kernel's tables. */
  async run(): Promise<void> {
    const { signal, place } = this.#settings
    signal.addEventListener('abort', () => clearTimeout(this.#goingBack))
    await requireTables(place)
    const heard = () => {
      this.#isDue = true
      this.#wake()
    }
    await Promise.all([listen(place, { heard, signal }), this.#follow(), this.#keep()])
  }

  /** Logs once what may be said each time. An empty line allows the next one. */
  #say(about: string, line: string): void {
    if (line !== '' && this.#said.get(about) !== line) this.#settings.log(line)
    this.#said.set(about, line)
  }

  /** Asks for what should be, again and again. Without an answer, what is in force stays, and is kept up. */
  async #follow(): Promise<void> {
    const { signal, interval } = this.#settings
    let failures = 0
    while (!signal.aborted) {
      try {
        await this.#pull()
        if (failures > 0) this.#say('api', 'the API answers again')
        this.#say('api', '')
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        this.#say('api', `no translations from the API: ${inWords(error)}`)
        // The device may have moved to another datacenter.
        if (error instanceof ApiRefusal && error.status === 404) this.#path = ''
        await pause(Math.min(2 ** failures * 125, interval * 1000), signal)
      }
    }
  }

  async #pull(): Promise<void> {
    const { api, signal } = this.#settings
    if (this.#path === '') {
      const path = await findDevice(api, signal)
      this.#counters.carryOn(await pastCounters(api, { path, signal }))
      this.#path = path
    }
    const began = Date.now()
    const answer = await pull(api, { path: this.#path, since: this.#revision, signal })
    if (answer.kind === 'nothing') {
      // A proxy may answer at once.
      await pause(1000 - (Date.now() - began), signal)
      return
    }
    if (answer.kind === 'unknown') {
      // The table stays as it is until the whole answer has come.
      this.#revision = undefined
      return
    }
    const all = answer.kind === 'whole' ? new Map<string, Translation>() : this.#translations
    if (answer.kind === 'change') for (const each of answer.removed) all.delete(identityOf(each))
    for (const each of answer.kind === 'whole' ? answer.entries : answer.added)
      all.set(identityOf(each), each)
    this.#translations = all
    this.#revision = answer.revision
    this.#want(all)
    this.#awaitConfirmation(answer.unconfirmed)
  }

  #want(translations: ReadonlyMap<string, Translation>): void {
    this.#desired = elementsOf([...translations.values()])
    this.#refused = new Map()
    this.#interrupt?.abort()
    this.#wake()
  }

  /** The API takes back what was not confirmed. Where it is out of reach, by these very changes perhaps, the gateway does. */
  #awaitConfirmation(unconfirmed: Unconfirmed | undefined): void {
    clearTimeout(this.#goingBack)
    const { seconds = 0, added, removed } = unconfirmed ?? {}
    if (!added || !removed) return
    const before = new Map(this.#translations)
    for (const each of added) before.delete(identityOf(each))
    for (const each of removed) before.set(identityOf(each), each)
    const goBack = () => {
      this.#say('back', `took back what was not confirmed, translations: ${added.length + removed.length}`)
      this.#want(before)
    }
    this.#goingBack = setTimeout(goBack, seconds * 1000 + GRACE).unref()
    this.#say('back', '')
  }

  /** Makes what should be true, and reports: at once after a change, and each interval. */
  async #keep(): Promise<void> {
    const { signal, interval } = this.#settings
    while (!signal.aborted) {
      const began = Date.now()
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      try {
        await this.#round()
        this.#say('table', '')
      } catch (error) {
        if (signal.aborted) return
        this.#isDue = true
        this.#say('table', inWords(error))
        await pause(1000, signal)
      }
      const rest = interval * 1000 - (Date.now() - began)
      const ended = await Promise.race([woken, pause(Math.max(0, rest), signal).then(() => 'late')])
      this.#isLate = ended === 'late'
    }
  }

  async #round(): Promise<void> {
    if (this.#revision === undefined) return
    await this.#warnOfForwarding()
    await this.#prepare()
    try {
      const { end, took } = this.#lastReading
      if (this.#isDue || (this.#isLate && Date.now() - end >= took / SHARE)) await this.#read()
      const revision = this.#revision
      if (this.#settings.isWatching) {
        this.#drift = this.#isUntranslated() ? [] : this.#driftFrom(this.#desired.elements)
        this.#applied = this.#isUntranslated() ? undefined : revision
      } else {
        await this.#change()
        await this.#announce()
        this.#applied = revision
      }
    } finally {
      this.#report()
    }
  }

  /** While watching: there has been no table, so no gateway has translated anything here. That is no drift. */
  #isUntranslated(): boolean {
    return this.#settings.isWatching && this.#frame === undefined
  }

  /** Not before the API's first answer: without one the machine stays as it is. */
  async #prepare(): Promise<void> {
    const { place, isWatching } = this.#settings
    if (isWatching || this.#isPrepared) return
    await prepare(place)
    this.#isPrepared = true
  }

  async #announce(): Promise<void> {
    const { place, announced } = this.#settings
    if (announced === undefined) return
    try {
      await announce(place, announced, this.#inForce.values())
      this.#say('announce', '')
    } catch (error) {
      this.#say('announce', inWords(error))
    }
  }

  /** What the machine should have now: without what nft refuses. */
  #target(): ReadonlyMap<string, Element> {
    if (this.#refused.size === 0) return this.#desired.elements
    return new Map([...this.#desired.elements].filter(([name]) => !this.#refused.has(name)))
  }

  /** Notes what differs from what this gateway wrote, and puts chains and maps right. */
  async #read(): Promise<void> {
    const { isWatching, interval, signal } = this.#settings
    // One who edits all the time makes this read half of the time at most.
    await pause(this.#lastReading.end + this.#lastReading.took - Date.now(), signal)
    const expected = this.#inForce
    this.#isDue = false
    const began = Date.now()
    const found = await this.#readBack()
    if (!found) return
    this.#lastReading = { end: Date.now(), took: Date.now() - began }
    this.#counters.add(found.elements, found.counters)
    this.#inForce = found.elements
    if (isWatching) {
      if (found.frame !== '') this.#frame ??= found.frame
      this.#isReframed = this.#frame !== undefined && found.frame !== this.#frame
      return
    }
    const drift = this.#frame === undefined ? [] : this.#driftFrom(expected)
    if (this.#frame !== undefined && this.#frame !== found.frame) drift.unshift(REFRAMED)
    if (drift.length > 0) {
      this.#drift = drift
      this.#driftUntil = Date.now() + interval * 1000
      this.#isDriftKnown = false
      this.#settings.log(`found ${drift.length} foreign changes, such as: ${drift[0]?.reason}`)
    }
    if (this.#frame !== found.frame || found.strange.length > 0) await this.#reframe(found)
  }

  /** Undefined if a change came meanwhile. The next round reads again. */
  async #readBack(): Promise<Found | undefined> {
    const { place } = this.#settings
    const mayEnd = this.#frame !== undefined && !this.#wasInterrupted
    const interrupt = new AbortController()
    if (mayEnd) this.#interrupt = interrupt
    try {
      this.#wasInterrupted = false
      return await readBack(place, this.#desired.elements, interrupt.signal)
    } catch (error) {
      if (!interrupt.signal.aborted) throw error
      this.#wasInterrupted = true
      this.#isDue = true
      this.#wake()
      return undefined
    } finally {
      this.#interrupt = undefined
    }
  }

  async #reframe(found: Found): Promise<void> {
    const { place } = this.#settings
    if (this.#frame === undefined && found.strange.length === 0) {
      this.#frame = found.frame
      return
    }
    await prepare(place, found.strange)
    const now = await readBack(place, this.#desired.elements)
    this.#frame = now.frame
    this.#inForce = now.elements
  }

  #driftFrom(expected: ReadonlyMap<string, Element>): Refusal[] {
    const { added, removed } = differenceOf(expected, this.#inForce)
    const here = new Map(added.map((each) => [each.name, each]))
    const lost = removed.map((each) => {
      const now = here.get(each.name)
      return now
        ? reasonFor(each, `was changed${now.value === each.value ? '' : ` to ${now.value}`}`)
        : reasonFor(each, 'is missing')
    })
    const names = new Set(removed.map(({ name }) => name))
    const foreign = added.filter(({ name }) => !names.has(name))
    return [
      ...(this.#isReframed ? [REFRAMED] : []),
      ...lost,
      ...foreign.map((each) => reasonFor(each, 'was added by another program')),
    ]
  }

  async #change(): Promise<void> {
    const { place } = this.#settings
    // A pull may change what is desired meanwhile: the next round makes that.
    let target = this.#target()
    let difference = differenceOf(this.#inForce, target)
    try {
      await apply(place, difference)
    } catch (error) {
      if (!(error instanceof ProgramFailure)) throw error
      ;({ difference, target } = await this.#changeAnew())
    }
    if (difference.added.length + difference.removed.length === 0) return
    this.#inForce = target
    this.#counters.restart([...difference.added, ...difference.removed])
    // An element with another rule and the same value still translates its connections.
    const ended = difference.removed.filter(({ name, value }) => target.get(name)?.value !== value)
    await endConnections(place, ended)
  }

  /** Another program may have changed the table since it was read. If that is not why nft refused, single elements are. */
  async #changeAnew(): Promise<{ difference: Difference; target: ReadonlyMap<string, Element> }> {
    const { place } = this.#settings
    // An interrupted reading shows nothing.
    do await this.#read()
    while (this.#wasInterrupted)
    const desired = this.#desired
    const refused = await findRefused(place, differenceOf(this.#inForce, desired.elements))
    if (desired === this.#desired) this.#refused = refused
    const target = new Map([...desired.elements].filter(([name]) => !refused.has(name)))
    const difference = differenceOf(this.#inForce, target)
    await apply(place, difference)
    return { difference, target }
  }

  async #warnOfForwarding(): Promise<void> {
    const keys = [...new Set([...this.#translations.values()].map(({ natIp }) => natIp.includes(':')))].map(
      (isSix) => (isSix ? 'net.ipv6.conf.all.forwarding' : 'net.ipv4.ip_forward'),
    )
    for (const key of keys) {
      const value = await readFile(`/proc/sys/${key.replaceAll('.', '/')}`, 'utf8').catch(() => '')
      this.#say(key, value.trim() === '0' ? `this machine forwards no packets: sysctl -w ${key}=1` : '')
    }
  }

  /** Does not wait for the API: what is in force is kept up meanwhile. */
  #report(): void {
    if (this.#reporting) {
      this.#isReportDue = true
      return
    }
    this.#isReportDue = false
    const { signal } = this.#settings
    this.#reporting = this.#send()
      .then(() => this.#say('report', ''))
      .catch((error: unknown) => {
        if (!signal.aborted) this.#say('report', `no report to the API: ${inWords(error)}`)
      })
      .finally(() => {
        this.#reporting = undefined
        if (this.#isReportDue) this.#report()
      })
  }

  async #send(): Promise<void> {
    const { api, isWatching, interval, version, signal } = this.#settings
    const byNft = [...this.#refused.values()].map(({ element, reason }) => ({
      ...(element.rule !== undefined && { rule: element.rule }),
      reason,
    }))
    const counters = this.#counters.unreported(this.#rules(), MOST)
    // On a busy machine the repair takes longer than an interval, and its end is the first moment to report what was found.
    const isFresh = isWatching || !this.#isDriftKnown || Date.now() < this.#driftUntil
    const drift = isFresh ? this.#drift : []
    await report(api, {
      path: this.#path,
      state: {
        revision: this.#applied ?? 0,
        mode: isWatching ? 'watch' : 'enforce',
        interval,
        translations: this.#isUntranslated()
          ? 0
          : Math.max(0, this.#translations.size - this.#desired.refused.length - byNft.length),
        drift: shorten(drift),
        refused: shorten([...this.#desired.refused, ...byNft]),
        counters,
        agent: { name: 'gateway', version },
      },
      signal,
    })
    this.#counters.noteReported(counters)
    if (drift === this.#drift) this.#isDriftKnown = true
    if (counters.length === MOST) this.#isReportDue = true
  }

  #rules(): Set<number> {
    const rules = [...this.#translations.values()].map(({ rule }) => rule)
    return new Set(rules.filter((rule) => rule !== undefined))
  }
}

const shorten = (all: readonly Refusal[]): Refusal[] =>
  all.slice(0, MOST).map(({ reason, ...rest }) => ({ ...rest, reason: reported(reason) }))

/** The API refuses control and bidirectional characters. */
const reported = (reason: string): string =>
  reason
    .slice(0, LONGEST)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Bidi_C}]/gu, '\uFFFD')

const inWords = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  // fetch says only that it failed.
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}

const REFRAMED: Refusal = { reason: 'the chains or maps of the table were changed' }

const reasonFor = ({ collection, key, value, rule }: Element, what: string): Refusal => ({
  ...(rule !== undefined && { rule }),
  reason: `${collection} ${key}${value === undefined ? '' : ` → ${value}`} ${what}`,
})
