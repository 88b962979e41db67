import { expect, test } from 'vitest'
import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import { groupByParent, joinPages, mergeHits, openAtFirst, openInSearch, parentRefusal } from './tree-rows'

const node = (id: number, name: string, parent?: number, children = 0): ScopeTreeNode => ({
  links: [],
  id,
  name,
  parent,
  children,
  automaticAddDatacenter: false,
  automaticAddEnterprise: false,
  enterprises: 0,
  datacenters: 0,
  users: 0,
  usersBelow: 0,
  match: true,
})

const page = (collection: ScopeTreeNode[], totalSize: number) => ({
  data: { collection, totalSize },
  failed: false,
})
const onItsWay = { failed: false }
const inSpanish = new Intl.Collator('es-ES')
const ids = (nodes: readonly ScopeTreeNode[]) => nodes.map(({ id }) => id)

test('a branch with fewer children here than on the server has more to show', () => {
  expect(joinPages([page([node(1, 'a')], 2)]).status).toBe('pending')
  expect(joinPages([page([node(1, 'a')], 1)]).status).toBe('finished')
})

test('a branch with a loading or failed page shows it, and keeps its rows', () => {
  expect(joinPages([page([node(1, 'a')], 2), onItsWay])).toMatchObject({ status: 'loading', total: 2 })
  expect(joinPages([page([node(1, 'a')], 2), { failed: true }]).status).toBe('error')
  expect(ids(joinPages([page([node(1, 'a')], 2), { failed: true }]).nodes)).toEqual([1])
})

test('a scope on two pages is shown once', () => {
  const branch = joinPages([page([node(1, 'a'), node(2, 'b')], 3), page([node(2, 'b'), node(3, 'c')], 3)])
  expect(ids(branch.nodes)).toEqual([1, 2, 3])
})

test('hits are below their ancestors, by name', () => {
  const found = groupByParent(
    [node(4, 'Zaragoza', 2), node(3, 'Ávila', 2), node(1, 'Global'), node(2, 'Spain', 1)],
    inSpanish,
  )
  expect(ids(found.get(0) ?? [])).toEqual([1])
  expect(ids(found.get(2) ?? [])).toEqual([3, 4])
})

test('a scope that is both an ancestor of a hit and a hit is shown once', () => {
  const way = { ...node(1, 'Global'), match: false }
  const merged = mergeHits([{ collection: [node(2, 'a', 1), way] }, { collection: [node(1, 'Global')] }])
  expect(merged.map(({ id, match }) => ({ id, match }))).toEqual([
    { id: 2, match: true },
    { id: 1, match: true },
  ])
  expect(mergeHits([{ collection: [node(1, 'Global')] }, { collection: [way] }])[0]?.match).toBe(true)
})

test('a hit whose parent is not visible is a root', () => {
  expect(ids(groupByParent([node(7, 'a', 3)], inSpanish).get(0) ?? [])).toEqual([7])
})

test('in a search the way to a hit is open, and can be closed', () => {
  const found = new Map([[1, []]])
  expect(openInSearch(found, new Map(), 1)).toBe(true)
  expect(openInSearch(found, new Map([[1, 1]]), 1)).toBe(false)
  expect(openInSearch(found, new Map([[2, 1]]), 2)).toBe(true)
})

test('at first a few roots are open, many are not', () => {
  expect([...openAtFirst([node(1, 'a', undefined, 3), node(2, 'b')]).keys()]).toEqual([0, 1])
  const many = Array.from({ length: 9 }, (_, index) => node(index + 1, 'x', undefined, 1))
  expect([...openAtFirst(many).keys()]).toEqual([0])
})

test('a refused parent has a reason', () => {
  const tree = [node(1, 'a'), node(2, 'b', 1), node(3, 'c', 2), node(4, 'd', 3)]
  const nodes = new Map(tree.map((each) => [each.id, each]))
  const refusal = (id: number) =>
    parentRefusal(nodes.get(id) ?? node(id, '?'), {
      scope: { id: 2 },
      parentNow: 1,
      nodeOf: (at) => nodes.get(at),
    })
  expect([1, 2, 3, 4, 5].map(refusal)).toEqual(['isParent', 'isItself', 'isBelow', 'isBelow', undefined])
})
