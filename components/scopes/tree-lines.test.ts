import { expect, test } from 'vitest'
import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import { stepFrom, treeLines } from './tree-lines'
import type { Branch } from './tree-rows'

const node = (id: number, parent?: number, children = 0): ScopeTreeNode => ({
  links: [],
  id,
  name: `Scope ${id}`,
  parent,
  children,
  automaticAddDatacenter: false,
  automaticAddEnterprise: false,
  enterprises: 0,
  datacenters: 0,
  users: 0,
  usersBelow: 0,
  match: false,
})

const branches = new Map<number, Branch>([
  [0, { nodes: [node(1, undefined, 3)], total: 1, status: 'finished' }],
  [1, { nodes: [node(2, 1, 1), node(3, 1)], total: 3, status: 'pending' }],
  [2, { nodes: [], total: 0, status: 'loading' }],
])

const linesWith = (open: number[]) =>
  treeLines({
    branch: (id) => branches.get(id) ?? { nodes: [], total: 0, status: 'finished' },
    isOpen: (id) => open.includes(id),
    canOpen: ({ children }) => children > 0,
  })

const lines = linesWith([1, 2])

test('open children are below their parent, and missing ones below these', () => {
  expect(lines.map(({ key, level }) => `${level} ${key}`)).toEqual([
    '1 scope-1',
    '2 scope-2',
    '3 rest-2',
    '2 scope-3',
    '2 rest-1',
  ])
  expect(lines[1]).toMatchObject({ position: 1, siblings: 3, open: true })
  expect(lines[3]).toMatchObject({ position: 2, siblings: 3, open: undefined })
  expect(lines.at(-1)).toMatchObject({ parent: 1, status: 'pending' })
})

test('an empty branch and an empty tree are different', () => {
  branches.set(2, { nodes: [], total: 0, status: 'finished' })
  expect(linesWith([1, 2])[2]).toMatchObject({ key: 'rest-2', status: 'empty' })
  expect(
    treeLines({
      branch: () => ({ nodes: [], total: 0, status: 'finished' }),
      isOpen: () => false,
      canOpen: () => false,
    }),
  ).toEqual([])
})

const step = (place: number, column: number, key: string, isFar = false) => {
  const found = stepFrom(lines, { place, column, columns: 5, key, isFar })
  return found && `${found.line?.key} ${found.column}`
}

test('the arrows go from line to line and from cell to cell, and stop at the edges', () => {
  expect(step(0, 2, 'ArrowDown')).toBe('scope-2 2')
  expect(step(0, 2, 'ArrowUp')).toBe('scope-1 2')
  expect(step(1, 0, 'ArrowRight')).toBe('scope-2 1')
  expect(step(1, 4, 'ArrowRight')).toBeUndefined()
  expect(step(1, 1, 'ArrowLeft')).toBe('scope-2 0')
  expect(step(0, 0, 'Enter')).toBeUndefined()
})

test('the left arrow on a name goes to the parent', () => {
  expect(step(3, 0, 'ArrowLeft')).toBe('scope-1 0')
  expect(step(2, 0, 'ArrowLeft')).toBe('scope-2 0')
  expect(step(0, 0, 'ArrowLeft')).toBe('undefined 0')
})

test('Home and End stay in the line, with Ctrl they leave it', () => {
  expect(step(1, 2, 'Home')).toBe('scope-2 0')
  expect(step(1, 2, 'End')).toBe('scope-2 4')
  expect(step(3, 0, 'Home', true)).toBe('scope-1 0')
  expect(step(0, 0, 'End', true)).toBe('rest-1 0')
  expect(step(0, 0, 'PageDown')).toBe('rest-1 0')
})

test('a closed scope hides the open scopes below it', () => {
  expect(linesWith([2]).map(({ key }) => key)).toEqual(['scope-1'])
})
