import type { Difference, Element, Refusal } from '#lib/gateway/elements'

/* Drift: changes of the gateway's table by other programs. */

const REFRAMED: Refusal = { reason: 'the chains or maps of the table were changed' }

const reasonFor = ({ collection, key, value, rule }: Element, what: string): Refusal => ({
  ...(rule !== undefined && { rule }),
  reason: `${collection} ${key}${value === undefined ? '' : ` → ${value}`} ${what}`,
})

/** From the expected elements to those that were found. `isReframed`: the chains or maps have changed. */
export function driftOf({ added, removed }: Difference, isReframed: boolean): Refusal[] {
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
    ...(isReframed ? [REFRAMED] : []),
    ...lost,
    ...foreign.map((each) => reasonFor(each, 'was added by another program')),
  ]
}

/** The drift that reports contain. */
export class Drift {
  readonly #isWatching: boolean
  #found: Refusal[] = []
  #until = 0
  #isReported = true
  #total = 0

  constructor(isWatching: boolean) {
    this.#isWatching = isWatching
  }

  /** Nothing is repaired while watching, so the drift is reported as long as it lasts. */
  watch(found: Refusal[]): void {
    this.#found = found
  }

  /** Drift that is repaired at once: reported for this time (ms), and at least once. */
  add(found: Refusal[], duration: number): void {
    this.#found = found
    this.#until = Date.now() + duration
    this.#isReported = false
    this.#total += found.length
  }

  /** All repaired drift since the start. */
  get total(): number {
    return this.#total
  }

  /** On a busy machine the repair takes longer than an interval, and its end is the first moment to report the drift. */
  get current(): Refusal[] {
    const isFresh = this.#isWatching || !this.#isReported || Date.now() < this.#until
    return isFresh ? this.#found : []
  }

  noteReported(reported: Refusal[]): void {
    if (reported === this.#found) this.#isReported = true
  }
}
