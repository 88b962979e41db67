/* Ports of ranges that are taken. nft refuses a whole transaction with overlapping elements, so an overlap is found before. */

export type Span = { place: string; from: number; to: number }

export class Spans<Owner> {
  /** By place: without overlaps, in ascending order. */
  readonly #taken = new Map<string, (Span & { owner: Owner })[]>()

  /** The owner of a span that overlaps one of these. */
  overlapping(spans: readonly Span[]): Owner | undefined {
    for (const { place, from, to } of spans) {
      const taken = this.#taken.get(place) ?? []
      const before = taken[countUpTo(taken, to) - 1]
      if (before && before.to >= from) return before.owner
    }
    return undefined
  }

  /** The spans must overlap none. */
  take(spans: readonly Span[], owner: Owner): void {
    for (const span of spans) {
      const taken = this.#taken.get(span.place) ?? []
      this.#taken.set(span.place, taken)
      taken.splice(countUpTo(taken, span.from), 0, { ...span, owner })
    }
  }

  /** The spans must have been taken. */
  release(spans: readonly Span[]): void {
    for (const { place, from } of spans) {
      const taken = this.#taken.get(place) ?? []
      taken.splice(countUpTo(taken, from) - 1, 1)
    }
  }
}

/** How many begin at this port or before it. */
function countUpTo(taken: readonly Span[], port: number): number {
  let [low, high] = [0, taken.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((taken[middle]?.from ?? 0) <= port) low = middle + 1
    else high = middle
  }
  return low
}
