import { expect, test } from 'vitest'
import { type Outcome, runAll } from './bulk'

const rows = Array.from({ length: 10 }, (_, index) => ({ id: index + 1 }))

function watch() {
  const outcomes = new Map<number, Outcome>()
  return { outcomes, report: (id: number, outcome: Outcome) => void outcomes.set(id, outcome) }
}

test('every row is taken once, a few at a time, and a refusal stops no other', async () => {
  const { outcomes, report } = watch()
  const taken: number[] = []
  let under = 0
  let most = 0
  const refusal = new Error('no')
  const run = async ({ id }: { id: number }) => {
    taken.push(id)
    under += 1
    most = Math.max(most, under)
    await Promise.resolve()
    under -= 1
    if (id === 3) throw refusal
  }
  await runAll({ rows, run, report, isStopped: () => false })
  expect(taken.toSorted((one, other) => one - other)).toEqual(rows.map(({ id }) => id))
  expect(most).toBe(4)
  expect(outcomes.get(3)).toEqual({ state: 'refused', error: refusal })
  expect([...outcomes.values()].filter(({ state }) => state === 'done')).toHaveLength(9)
})

test('what has not begun when it is stopped is not touched', async () => {
  const { outcomes, report } = watch()
  let isStopped = false
  const run = async ({ id }: { id: number }) => {
    if (id === 4) isStopped = true
  }
  await runAll({ rows, run, report, isStopped: () => isStopped })
  const states = rows.map(({ id }) => outcomes.get(id)?.state)
  expect(states.slice(0, 4)).toEqual(Array(4).fill('done'))
  expect(states.at(-1)).toBe('stopped')
})
