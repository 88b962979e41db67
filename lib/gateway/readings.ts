import { pause } from '#lib/gateway/api'
import type { Context } from '#lib/gateway/context'

/*
 * When the gateway reads its table. A reading of 100,000 elements takes seconds, so it goes on beside the changes, and nft begins a listing
 * again whenever the table changes before it prints.
 */

/** The table is read at most for this part of the time. */
const SHARE = 1 / 10
/** Milliseconds until a failed reading is begun again. */
const AGAIN = 1000
/** Intervals that changes may put a reading off: after a foreign change, and without one. */
const PATIENCE = { foreign: 3, none: 30 }
/** Milliseconds that a change then gives a reading after a foreign change. */
const HOLD = 1000

/** One reading, until nft prints what it has read. */
export class Listing {
  readonly interrupt = new AbortController()
  isPrinting = false
  #printed = Promise.withResolvers<void>()

  get printed(): Promise<void> {
    return this.#printed.promise
  }

  begin(): void {
    this.isPrinting = false
    this.#printed = Promise.withResolvers()
  }

  print(): void {
    this.isPrinting = true
    this.#printed.resolve()
  }
}

type Parts = { read: (listing: Listing) => Promise<void>; wake: () => void }

export class Readings {
  readonly #context: Context
  readonly #parts: Parts
  #isDue = true
  #last = { end: 0, took: 0 }
  #going: Promise<void> | undefined
  #listing: Listing | undefined
  /** Another program has changed the table since the last reading. */
  #isForeign = false
  /** When the reading was first begun that has not ended yet. */
  #begun: number | undefined

  constructor(context: Context, parts: Parts) {
    this.#context = context
    this.#parts = parts
  }

  get isDue(): boolean {
    return this.#isDue
  }

  /** `isForeign`: another program may have changed the table since the last reading. */
  require({ isForeign }: { isForeign: boolean }): void {
    this.#isDue = true
    if (isForeign) this.#isForeign = true
  }

  /** Begins a reading if one is due, unless one is going on. Ends with the reading, and never fails. */
  refresh(isLate: boolean): Promise<void> | undefined {
    const { end, took } = this.#last
    const isDue = this.#isDue || (isLate && Date.now() - end >= took / SHARE)
    if (isDue) this.#going ??= this.#begin()
    return this.#going
  }

  /** A reading that begins now, behind the one that is going on. */
  async readNow(): Promise<void> {
    await this.#going
    await this.#read()
    this.#listing = undefined
  }

  /** Puts a reading off that a change would begin again. One that was put off for long gets time until it prints. */
  async giveWay(): Promise<void> {
    const { interval, signal } = this.#context
    const listing = this.#listing
    if (!listing || listing.isPrinting || this.#begun === undefined) return
    const late = (Date.now() - this.#begun) / (interval * 1000)
    if (late >= PATIENCE.none) await listing.printed
    else if (this.#isForeign && late >= PATIENCE.foreign)
      await Promise.race([listing.printed, pause(HOLD, signal)])
    else listing.interrupt.abort()
  }

  async #begin(): Promise<void> {
    const { signal, messages } = this.#context
    try {
      // If another program changes the table all the time, readings take half of the time at most.
      await pause(this.#last.end + this.#last.took - Date.now(), signal)
      await this.#read()
      messages.clear('reading')
    } catch (error) {
      this.#isDue = true
      if (this.#listing?.interrupt.signal.aborted) this.#last.end = Date.now()
      else {
        if (!signal.aborted) messages.fail('reading', error)
        await pause(AGAIN, signal)
      }
    } finally {
      this.#listing = undefined
      this.#going = undefined
      this.#parts.wake()
    }
  }

  async #read(): Promise<void> {
    this.#isDue = false
    const began = Date.now()
    this.#begun ??= began
    const listing = new Listing()
    this.#listing = listing
    try {
      await this.#parts.read(listing)
    } finally {
      listing.print()
    }
    this.#last = { end: Date.now(), took: Date.now() - began }
    this.#begun = undefined
    this.#isForeign = this.#isDue
    this.#context.metrics.noteDone('reading')
  }
}
