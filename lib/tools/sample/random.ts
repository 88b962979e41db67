/** A generator of numbers in [0, 1) with the same sequence for the same seed (mulberry32). */
export function seeded(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    /** An integer from 0 to `end` - 1. */
    below: (end: number): number => Math.floor(next() * end),
    pick: <T>(items: readonly [T, ...T[]]): T => items[Math.floor(next() * items.length)] ?? items[0],
    chance: (probability: number): boolean => next() < probability,
  }
}

export type Random = ReturnType<typeof seeded>
