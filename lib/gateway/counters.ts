import type { Element } from '#lib/gateway/elements'
import type { Counter } from '#lib/gateway/listing'

/* The totals of rules. The kernel's counters restart at 0 with each new element; the totals continue. */

export class Counters {
  /** By rule. */
  readonly #totals = new Map<number, Counter>()
  /** The last reading of each element, by its name. */
  #last = new Map<string, Counter>()
  #hasRead = false
  /** By rule. */
  readonly #reported = new Map<number, Counter>()

  /** The counters that an earlier run of the gateway reported. Totals never go below them. */
  carryOn(past: readonly ({ rule: number } & Counter)[]): void {
    for (const { rule, packets, bytes } of past) {
      const now = this.#totals.get(rule) ?? { packets: 0, bytes: 0 }
      this.#totals.set(rule, {
        packets: Math.max(packets, now.packets),
        bytes: Math.max(bytes, now.bytes),
      })
    }
  }

  /** Elements whose names are in `changing` may be old or new ones: their counters are left as they were. */
  add(
    elements: ReadonlyMap<string, Element>,
    counters: Map<string, Counter>,
    changing: ReadonlySet<string> = new Set(),
  ): void {
    for (const name of changing) counters.delete(name)
    const read = new Map<number, Counter>()
    for (const [name, counter] of counters) {
      const rule = elements.get(name)?.rule
      if (rule === undefined) continue
      const last = this.#last.get(name)
      const isAnew = !last || counter.packets < last.packets
      const sum = read.get(rule) ?? { packets: 0, bytes: 0 }
      read.set(rule, {
        packets: sum.packets + counter.packets - (isAnew ? 0 : last.packets),
        bytes: sum.bytes + counter.bytes - (isAnew ? 0 : last.bytes),
      })
    }
    for (const name of changing) {
      const last = this.#last.get(name)
      if (last) counters.set(name, last)
    }
    this.#last = counters
    if (!this.#hasRead) this.carryOn([...read].map(([rule, counter]) => ({ rule, ...counter })))
    else
      for (const [rule, more] of read) {
        const { packets, bytes } = this.#totals.get(rule) ?? { packets: 0, bytes: 0 }
        this.#totals.set(rule, { packets: packets + more.packets, bytes: bytes + more.bytes })
      }
    this.#hasRead = true
  }

  /** The elements begin at 0 again. */
  restart(elements: readonly Element[]): void {
    for (const { name } of elements) this.#last.delete(name)
  }

  /** Up to `most` of these rules whose totals differ from the reported ones. */
  unreported(rules: ReadonlySet<number>, most: number): ({ rule: number } & Counter)[] {
    const some: ({ rule: number } & Counter)[] = []
    for (const [rule, total] of this.#totals) {
      const last = this.#reported.get(rule) ?? { packets: 0, bytes: 0 }
      const isNew = total.packets !== last.packets || total.bytes !== last.bytes
      if (!rules.has(rule)) {
        this.#totals.delete(rule)
        this.#reported.delete(rule)
      } else if (isNew && some.length < most) some.push({ rule, ...total })
    }
    return some
  }

  /** The API has taken these. */
  noteReported(some: readonly ({ rule: number } & Counter)[]): void {
    for (const { rule, packets, bytes } of some) this.#reported.set(rule, { packets, bytes })
  }
}
