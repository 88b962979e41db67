import { expect, test } from 'vitest'
import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import { arrivalOf, newIn, sinceOf } from './scopes-since'

const node = (id: number, changes: Partial<ScopeTreeNode> = {}): ScopeTreeNode => ({
  links: [],
  id,
  name: `Scope ${id}`,
  parent: 1,
  children: 0,
  automaticAddDatacenter: false,
  automaticAddEnterprise: false,
  enterprises: 0,
  datacenters: 0,
  users: 0,
  usersBelow: 0,
  match: false,
  ...changes,
})

test('a scope was renamed, moved, removed, or is the same', () => {
  const then = node(2)
  expect(sinceOf(then, undefined)).toBeUndefined()
  expect(sinceOf(then, 'gone')).toEqual({ kind: 'removed' })
  expect(sinceOf(then, node(2, { match: true }))?.kind).toBe('same')
  expect(sinceOf(then, node(2, { name: 'Another' }))?.kind).toBe('changed')
  expect(sinceOf(then, node(2, { users: 3 }))?.kind).toBe('changed')
  expect(sinceOf(then, node(2, { children: 3 }))).toMatchObject({ kind: 'changed', below: 0 })
  expect(sinceOf(then, node(2, { parent: 7, name: 'Another' }))).toMatchObject({ kind: 'movedTo', parent: 7 })
  expect(sinceOf(then, node(2, { parent: undefined }))).toMatchObject({ kind: 'movedTo', parent: undefined })
})

test('scopes that came are known once their whole branch is drawn', () => {
  const [stayed, came] = [node(2), node(3)]
  const present = new Map<number, ScopeTreeNode | 'gone'>([
    [2, stayed],
    [3, came],
    [4, 'gone'],
    [5, node(5, { parent: 9 })],
  ])
  expect(newIn({ parent: 1, nodes: [stayed], isWhole: true }, present)).toEqual([came])
  expect(newIn({ parent: 1, nodes: [stayed], isWhole: false }, present)).toEqual([])
  expect(arrivalOf('gone')).toEqual({ kind: 'added' })
  expect(arrivalOf(node(3, { parent: 8 }))).toEqual({ kind: 'movedHere', parent: 8 })
  expect(arrivalOf(undefined)).toBeUndefined()
})
