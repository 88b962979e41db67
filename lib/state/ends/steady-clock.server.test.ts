import { expect, test } from 'vitest'
import { steadyClock } from '#lib/state/ends/steady-clock.server'

const HOUR = 3_600_000
const START = 1_800_000_000_000

/** A clock that can be set, beside the time that passes. */
function clocks() {
  let [wall, passed] = [START, 5000]
  const time = steadyClock({ wall: () => wall, up: () => passed })
  return {
    after: (ms: number) => {
      wall += ms
      passed += ms
      return time() - START
    },
    set: (ms: number) => {
      wall += ms
      return time() - START
    },
  }
}

test('follows the clock of the system, also one that drifts', () => {
  const { after, set } = clocks()
  expect(after(1000)).toBe(1000)
  for (let second = 0; second < 100; second += 1) {
    after(1000)
    set(500)
  }
  expect(set(0)).toBe(151_000)
})

test('a clock that jumps an hour forth and back is never ahead of the time that passes', () => {
  const { after, set } = clocks()
  after(1000)
  expect(set(HOUR)).toBe(1000)
  expect(after(60_000)).toBe(61_000)
  expect(set(-HOUR)).toBe(61_000)
  expect(after(1000)).toBe(62_000)
})

test('a clock that jumps an hour back and forth is the earlier time meanwhile', () => {
  const { after, set } = clocks()
  after(1000)
  expect(set(-HOUR)).toBe(1000 - HOUR)
  expect(after(60_000)).toBe(61_000 - HOUR)
  expect(set(HOUR)).toBe(61_000)
})

test('after a quarter of an hour a clock that was set is right', () => {
  const { after, set } = clocks()
  after(1000)
  set(HOUR)
  expect(after(14 * 60_000)).toBe(1000 + 14 * 60_000)
  expect(after(60_000)).toBe(1000 + 15 * 60_000 + HOUR)
})
