import { pause } from '#lib/gateway/api'
import { endConnections } from '#lib/gateway/connections'
import type { Context } from '#lib/gateway/context'
import type { Counters } from '#lib/gateway/counters'
import { type Drift, driftBetween } from '#lib/gateway/drift'
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
import { apply, findRefused, ProgramFailure, prepare, readBack } from '#lib/gateway/nft'

/* The gateway's table in the kernel: the desired elements, the elements in force, and the way from one to the other. */

/** The table is read at most for this part of the time: at 100,000 elements one reading takes seconds. */
const SHARE = 1 / 10

type Elements = ReadonlyMap<string, Element>
type Parts = { counters: Counters; drift: Drift; wake: () => void }

export class LiveTable {
  readonly #context: Context
  readonly #parts: Parts
  #desired: Desired = { elements: new Map(), refused: [] }
  /** Desired elements that nft refused. They are tried again when the desired elements change. */
  #refused: Awaited<ReturnType<typeof findRefused>> = new Map()
  /** The elements at the last reading or writing. */
  #inForce: Elements = new Map()
  #applied: number | undefined
  #frame: string | undefined
  #isPrepared = false
  /** While watching: the chains or maps have changed since the start. */
  #isReframed = false
  #isDue = true
  #lastReading = { end: 0, took: 0 }
  /** Ends a reading early, so that a change need not wait for it. Two readings in a row are never ended early. */
  #interrupt: AbortController | undefined
  #wasInterrupted = false

  constructor(context: Context, parts: Parts) {
    this.#context = context
    this.#parts = parts
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
    const byNft = [...this.#refused.values()].map(({ element, reason }) => ({
      ...(element.rule !== undefined && { rule: element.rule }),
      reason,
    }))
    return [...this.#desired.refused, ...byNft]
  }

  /** While watching: no table exists, because no gateway has run on this machine. Missing elements are then no drift. */
  get isUntranslated(): boolean {
    return this.#context.isWatching && this.#frame === undefined
  }

  want(translations: ReadonlyMap<string, Translation>): void {
    this.#desired = elementsOf([...translations.values()])
    this.#refused = new Map()
    this.#interrupt?.abort()
  }

  /** The table may have changed since the last reading. */
  expireReading(): void {
    this.#isDue = true
  }

  isReadingDue(isLate: boolean): boolean {
    const { end, took } = this.#lastReading
    return this.#isDue || (isLate && Date.now() - end >= took / SHARE)
  }

  noteApplied(revision: number | undefined): void {
    this.#applied = this.isUntranslated ? undefined : revision
  }

  /** Makes the table with its chains, once. */
  async prepare(): Promise<void> {
    const { place, isWatching } = this.#context
    if (isWatching || this.#isPrepared) return
    await prepare(place)
    this.#isPrepared = true
  }

  /** While watching: the difference between the desired elements and those in force is the drift. */
  compare(): void {
    const between = { expected: this.#desired.elements, found: this.#inForce }
    this.#parts.drift.watch(this.isUntranslated ? [] : driftBetween(between, this.#isReframed))
  }

  /** Records the drift since this gateway's last writing, and repairs chains and maps. */
  async read(): Promise<void> {
    const { isWatching, interval, signal, log } = this.#context
    const { counters, drift } = this.#parts
    // If another program changes the table all the time, readings take half of the time at most.
    await pause(this.#lastReading.end + this.#lastReading.took - Date.now(), signal)
    const expected = this.#inForce
    this.#isDue = false
    const began = Date.now()
    const found = await this.#readBack()
    if (!found) return
    this.#lastReading = { end: Date.now(), took: Date.now() - began }
    counters.add(found.elements, found.counters)
    this.#inForce = found.elements
    if (isWatching) {
      if (found.frame !== '') this.#frame ??= found.frame
      this.#isReframed = this.#frame !== undefined && found.frame !== this.#frame
      return
    }
    const isReframed = this.#frame !== found.frame
    const foreign =
      this.#frame === undefined ? [] : driftBetween({ expected, found: found.elements }, isReframed)
    if (foreign.length > 0) {
      drift.add(foreign, interval * 1000)
      log(`found ${foreign.length} foreign changes, such as: ${foreign[0]?.reason}`)
    }
    if (isReframed || found.strange.length > 0) await this.#reframe(found)
  }

  /** Undefined if the desired elements changed meanwhile. The next round reads again. */
  async #readBack(): Promise<Found | undefined> {
    const mayEnd = this.#frame !== undefined && !this.#wasInterrupted
    const interrupt = new AbortController()
    if (mayEnd) this.#interrupt = interrupt
    try {
      this.#wasInterrupted = false
      return await readBack(this.#context.place, this.#desired.elements, interrupt.signal)
    } catch (error) {
      if (!interrupt.signal.aborted) throw error
      this.#wasInterrupted = true
      this.#isDue = true
      this.#parts.wake()
      return undefined
    } finally {
      this.#interrupt = undefined
    }
  }

  async #reframe(found: Found): Promise<void> {
    const { place } = this.#context
    if (this.#frame === undefined && found.strange.length === 0) {
      this.#frame = found.frame
      return
    }
    await prepare(place, found.strange)
    const now = await readBack(place, this.#desired.elements)
    this.#frame = now.frame
    this.#inForce = now.elements
  }

  /** Applies the desired elements, without those that nft refuses. */
  async change(): Promise<void> {
    const { place } = this.#context
    // The desired elements may change during this: the next round then applies them.
    let target = this.#without(this.#desired, this.#refused)
    let difference = differenceOf(this.#inForce, target)
    try {
      await apply(place, difference)
    } catch (error) {
      if (!(error instanceof ProgramFailure)) throw error
      ;({ difference, target } = await this.#changeAfterReading())
    }
    if (difference.added.length + difference.removed.length === 0) return
    this.#inForce = target
    this.#parts.counters.restart([...difference.added, ...difference.removed])
    // An element with another rule and the same value still translates its connections.
    const ended = difference.removed.filter(({ name, value }) => target.get(name)?.value !== value)
    await endConnections(place, ended, target)
  }

  /** nft refuses a change if another program has changed the table since the last reading, or because of single elements. */
  async #changeAfterReading(): Promise<{ difference: Difference; target: Elements }> {
    const { place } = this.#context
    // An interrupted reading shows nothing.
    do await this.read()
    while (this.#wasInterrupted)
    const desired = this.#desired
    const refused = await findRefused(place, differenceOf(this.#inForce, desired.elements))
    if (desired === this.#desired) this.#refused = refused
    const target = this.#without(desired, refused)
    const difference = differenceOf(this.#inForce, target)
    await apply(place, difference)
    return { difference, target }
  }

  #without({ elements }: Desired, refused: ReadonlyMap<string, unknown>): Elements {
    return refused.size === 0 ? elements : new Map([...elements].filter(([name]) => !refused.has(name)))
  }
}
