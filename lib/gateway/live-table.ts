import { endConnections } from '#lib/gateway/connections'
import type { Context } from '#lib/gateway/context'
import type { Counters } from '#lib/gateway/counters'
import { DesiredElements, type TranslationChange } from '#lib/gateway/desired'
import { type Drift, driftOf } from '#lib/gateway/drift'
import {
  type Difference,
  differenceOf,
  type Element,
  isSame,
  type Refusal,
  type Translation,
} from '#lib/gateway/elements'
import type { Found, Strange } from '#lib/gateway/listing'
import { apply, findRefused, ProgramFailure, prepare, readBack } from '#lib/gateway/nft'
import { type Listing, Readings } from '#lib/gateway/readings'

/*
 * The gateway's table in the kernel: the desired elements, the elements in force, and the way from one to the other. A reading goes on
 * beside the changes, and does not count for the elements that change meanwhile.
 */

type Parts = { counters: Counters; drift: Drift; wake: () => void }

export class LiveTable {
  readonly #context: Context
  readonly #parts: Parts
  readonly #readings: Readings
  #translations: ReadonlyMap<string, Translation> | undefined
  #desired = new DesiredElements([])
  /** Desired elements that nft refused, until they change. */
  #refused: Awaited<ReturnType<typeof findRefused>> = new Map()
  /** The elements at the last reading or writing. */
  #inForce = new Map<string, Element>()
  /** Names of the elements that may be desired and not in force, or the other way round. */
  #open = new Set<string>()
  #applied: number | undefined
  /** The text of chains and maps as this gateway made them; while watching, as they were at the start. */
  #frame: string | undefined
  /** Chains or maps differ from the frame. The foreign ones among them. */
  #strange: readonly Strange[] | undefined
  #isPrepared = false
  /** While watching: the chains or maps have changed since the start. */
  #isReframed = false
  #hasRead = false
  /** Names of the elements that changed since the reading began. */
  #touched: Set<string> | undefined
  /** Names of the elements that are being changed. */
  #changing: ReadonlySet<string> = new Set()
  /** The end of the change that is being made. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(context: Context, parts: Parts) {
    this.#context = context
    this.#parts = parts
    this.#readings = new Readings(context, { read: (listing) => this.#readBack(listing), wake: parts.wake })
  }

  /** The revision in force. */
  get applied(): number | undefined {
    return this.#applied
  }

  /** The elements in force. */
  get elements(): Iterable<Element> {
    return this.#inForce.values()
  }

  /** The translations that are not in force, with the reasons. */
  get refused(): Refusal[] {
    const byNft = [...this.#refused.values()]
      .filter(({ element }) => this.#desired.elements.get(element.name) === element)
      .map(({ element, reason }) => ({ ...(element.rule !== undefined && { rule: element.rule }), reason }))
    return [...this.#desired.refused, ...byNft]
  }

  /** While watching: no table exists, because no gateway has run on this machine. Missing elements are then no drift. */
  get isUntranslated(): boolean {
    return this.#context.isWatching && this.#frame === undefined
  }

  /** `change`: how they differ from the same map at the last call. */
  want(translations: ReadonlyMap<string, Translation>, change?: TranslationChange): void {
    const names = change && translations === this.#translations ? this.#desired.change(change) : undefined
    this.#translations = translations
    if (!names) {
      this.#desired = new DesiredElements([...translations.values()])
      this.#openAll()
    } else for (const name of names) this.#open.add(name)
  }

  #openAll(): void {
    const { added, removed } = differenceOf(this.#inForce, this.#desired.elements)
    this.#open = new Set([...added, ...removed].map(({ name }) => name))
  }

  /** The table may have changed since the last reading. */
  expireReading(): void {
    this.#readings.require({ isForeign: true })
  }

  /** False until the table was read: the elements in force are not known. */
  get hasRead(): boolean {
    return this.#hasRead
  }

  /** Begins a reading if one is due, unless one is going on. Ends with the reading, and never fails. */
  refresh(isLate: boolean): Promise<void> | undefined {
    return this.#readings.refresh(isLate)
  }

  async #readBack(listing: Listing): Promise<void> {
    const { place, signal } = this.#context
    this.#touched = new Set(this.#changing)
    try {
      const found = await readBack(place, this.#desired.elements, {
        signal: AbortSignal.any([signal, listing.interrupt.signal]),
        begin: () => listing.begin(),
        turn: () => {
          listing.print()
          return this.#turn
        },
      })
      this.#parts.counters.add(found.elements, found.counters, this.#touched)
      for (const name of this.#touched) {
        const element = this.#inForce.get(name)
        if (element) found.elements.set(name, element)
        else found.elements.delete(name)
      }
      this.#noteFound(found)
    } finally {
      this.#touched = undefined
    }
  }

  /** Records the drift since this gateway's last writing. */
  #noteFound(found: Found): void {
    const { isWatching, interval, log } = this.#context
    const difference = differenceOf(this.#inForce, found.elements)
    const isFirst = !this.#hasRead
    this.#hasRead = true
    this.#inForce = found.elements
    for (const { name } of [...difference.added, ...difference.removed]) this.#open.add(name)
    const isReframed = this.#frame !== undefined && found.frame !== this.#frame
    if (isWatching) {
      if (found.frame !== '') this.#frame ??= found.frame
      this.#isReframed = isReframed
      return
    }
    const foreign = isFirst ? [] : driftOf(difference, isReframed)
    if (foreign.length > 0) {
      this.#parts.drift.add(foreign, interval * 1000)
      log('warn', `found ${foreign.length} foreign changes, such as: ${foreign[0]?.reason}`, {
        about: 'drift',
      })
    }
    if (isReframed || found.strange.length > 0) this.#strange = found.strange
    // Another program has deleted the table, or may have changed the frame since the reading began.
    else if (found.frame === '' || (this.#readings.isDue && this.#frame === undefined)) this.#strange = []
    else this.#frame ??= found.frame
  }

  noteApplied(revision: number | undefined): void {
    this.#applied = this.isUntranslated ? undefined : revision
  }

  /** Makes the table with its chains, once, and repairs chains and maps that others changed. The next reading shows how they are then. */
  async prepare(): Promise<void> {
    const { place, isWatching } = this.#context
    const strange = this.#strange
    if (isWatching || (this.#isPrepared && !strange)) return
    this.#strange = undefined
    this.#frame = undefined
    const isRebuilt = await prepare(place, strange)
    this.#isPrepared = true
    if (strange) {
      this.#readings.require({ isForeign: false })
      this.#parts.wake()
    }
    if (!isRebuilt) return
    this.#inForce = new Map()
    this.#openAll()
  }

  /** While watching: the difference between the desired elements and those in force is the drift. */
  compare(): void {
    const difference = differenceOf(this.#desired.elements, this.#inForce)
    this.#parts.drift.watch(this.isUntranslated ? [] : driftOf(difference, this.#isReframed))
  }

  /** Applies the desired elements, without those that nft refuses. */
  async change(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#turn = promise
    try {
      const difference = await this.#apply()
      this.#parts.counters.restart([...difference.added, ...difference.removed])
      // An element with another rule and the same value still translates its connections.
      const ended = difference.removed.filter(({ name, value }) => this.#inForce.get(name)?.value !== value)
      await endConnections(this.#context.place, ended, this.#inForce)
    } finally {
      resolve()
    }
  }

  /** nft refuses a change if another program has changed the table since the last reading, or because of single elements. */
  async #apply(): Promise<Difference> {
    try {
      return await this.#applyOpen()
    } catch (error) {
      if (!(error instanceof ProgramFailure)) throw error
    }
    this.#turn = Promise.resolve()
    await this.#readings.readNow()
    await this.prepare()
    const { place } = this.#context
    const refused = await findRefused(place, this.#differenceIn(this.#open))
    for (const [name, each] of refused) this.#refused.set(name, each)
    return this.#applyOpen()
  }

  async #applyOpen(): Promise<Difference> {
    const { added, removed } = this.#differenceIn(this.#open)
    if (added.length + removed.length > 0) await this.#readings.giveWay()
    const names = this.#open
    this.#open = new Set()
    const difference = this.#differenceIn(names)
    try {
      await this.#write(difference)
    } catch (error) {
      for (const name of names) this.#open.add(name)
      throw error
    }
    return difference
  }

  #differenceIn(names: ReadonlySet<string>): Difference {
    const difference: { added: Element[]; removed: Element[] } = { added: [], removed: [] }
    for (const name of names) {
      const [is, wanted] = [this.#inForce.get(name), this.#desired.elements.get(name)]
      const isRefused = wanted !== undefined && this.#refused.get(name)?.element === wanted
      const to = isRefused ? undefined : wanted
      if (to ? isSame(is, to) : !is) continue
      if (is) difference.removed.push(is)
      if (to) difference.added.push(to)
    }
    return difference
  }

  async #write(difference: Difference): Promise<void> {
    const { added, removed } = difference
    const names = new Set([...added, ...removed].map(({ name }) => name))
    this.#changing = names
    for (const name of names) this.#touched?.add(name)
    try {
      await apply(this.#context.place, difference)
    } finally {
      this.#changing = new Set()
    }
    if (names.size > 0) this.#context.metrics.noteChange()
    for (const { name } of removed) this.#inForce.delete(name)
    for (const element of added) this.#inForce.set(element.name, element)
    // The desired elements may have changed meanwhile.
    for (const name of names)
      if (this.#desired.elements.get(name) !== this.#inForce.get(name)) this.#open.add(name)
  }
}
