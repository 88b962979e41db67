import { expect, test } from 'vitest'
import { Turns } from '#lib/ground/turns'

/** Begins work that ends when `end` is called with its name. */
function works(turns: Turns) {
  const began: string[] = []
  const ends = new Map<string, () => void>()
  const begin = (user: number, name: string) =>
    turns.run(user, () => {
      began.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const settle = () => new Promise(setImmediate)
  const end = async (name: string) => {
    ends.get(name)?.()
    await settle()
  }
  return { began, begin, end, settle }
}

test('a free turn goes to the user who has the fewest, however many wait before', async () => {
  const { began, begin, end, settle } = works(new Turns({ most: 2, mostOfUser: 2 }))
  for (const name of ['a1', 'a2', 'a3']) void begin(1, name)
  void begin(2, 'b1')
  void begin(2, 'b2')
  void begin(3, 'c1')
  await settle()
  expect(began).toEqual(['a1', 'a2'])
  await end('a1')
  expect(began).toEqual(['a1', 'a2', 'b1'])
  await end('a2')
  expect(began).toEqual(['a1', 'a2', 'b1', 'a3'])
  await end('b1')
  expect(began.at(-1)).toBe('b2')
})

test('one user leaves turns to others, and work that fails frees its turn', async () => {
  const turns = new Turns({ most: 2, mostOfUser: 1 })
  const { began, begin, end, settle } = works(turns)
  void begin(1, 'a1')
  void begin(1, 'a2')
  void begin(2, 'b1')
  await settle()
  expect(began).toEqual(['a1', 'b1'])
  await end('a1')
  expect(began).toEqual(['a1', 'b1', 'a2'])
  await end('b1')
  await expect(turns.run(3, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  void begin(2, 'b2')
  await settle()
  expect(began.at(-1)).toBe('b2')
})
