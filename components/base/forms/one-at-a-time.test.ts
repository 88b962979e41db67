import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time'

const settled = () => new Promise((resolve) => setImmediate(resolve))

function counted() {
  const ends: { done: (value?: unknown) => void; fail: (error: Error) => void }[] = []
  const run = () => new Promise((done, fail) => ends.push({ done, fail }))
  return { ends, run }
}

test('two submits in the same task make one call', () => {
  const { ends, run } = counted()
  const guard = oneAtATime()
  guard(run)
  guard(run)
  expect(ends).toHaveLength(1)
})

test('after a success and after a failure the next submit is sent', async () => {
  const { ends, run } = counted()
  const guard = oneAtATime()
  guard(run)
  ends[0]?.done()
  await settled()
  guard(run)
  ends[1]?.fail(new Error('refused'))
  await settled()
  guard(run)
  expect(ends).toHaveLength(3)
})

test('two forms do not wait for each other', () => {
  const { ends, run } = counted()
  oneAtATime()(run)
  oneAtATime()(run)
  expect(ends).toHaveLength(2)
})
