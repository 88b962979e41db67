import { expect, test } from 'vitest'
import { chosenValue, differingFields, isSameValue, proposedChoice, type ShownFields } from './merge'

type Draft = {
  name: string
  parent: { id: number; name: string } | undefined
  list: readonly number[]
  password: string
}

const shown: ShownFields<Draft> = {
  name: { label: 'Name', text: String },
  parent: { label: 'Parent', text: (parent) => parent?.name },
  list: { label: 'List', members: (ids) => ids.join() },
  password: null,
}
const before: Draft = { name: 'One', parent: { id: 1, name: 'Top' }, list: [1, 2, 3], password: '' }

test('values are the same whatever the order of a list and the name of a linked resource', () => {
  expect(isSameValue([1, 2], [2, 1])).toBe(true)
  expect(isSameValue({ id: 1, name: 'Top' }, { id: 1, name: 'Renamed' })).toBe(true)
  expect(isSameValue({ id: 1, name: 'Top' }, { id: 2, name: 'Top' })).toBe(false)
  expect(isSameValue(undefined, { id: 1, name: 'Top' })).toBe(false)
  expect(isSameValue('', undefined)).toBe(false)
})

test('only fields in which the two versions differ are shown, and no password', () => {
  const same = { ...before, name: 'Two' }
  expect(differingFields(shown, { before, theirs: same, mine: same })).toEqual([])
  const mine = { ...same, password: 'secret', list: [3, 2, 1] }
  expect(differingFields(shown, { before, theirs: before, mine })).toEqual(['name'])
})

test('a field changed by one user is merged; a field changed by both waits for a choice', () => {
  const versions = {
    before,
    theirs: { ...before, name: 'Theirs', parent: undefined },
    mine: { ...before, name: 'Mine', list: [1] },
  }
  expect(proposedChoice('name', versions)).toBeUndefined()
  expect(proposedChoice('parent', versions)).toBe('theirs')
  expect(proposedChoice('list', versions)).toBe('mine')
})

test('two changes of a list are merged by their members', () => {
  const versions = {
    before,
    theirs: { ...before, list: [2, 3, 4] },
    mine: { ...before, list: [1, 3, 5] },
  }
  expect(proposedChoice('list', versions)).toBe('both')
  expect(chosenValue('list', 'both', versions)).toEqual([3, 4, 5])
  expect(chosenValue('list', 'theirs', versions)).toEqual([2, 3, 4])
  expect(chosenValue('list', 'mine', versions)).toEqual([1, 3, 5])
})
