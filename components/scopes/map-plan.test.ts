import { describe, expect, test } from 'vitest'
import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import { layMap } from './map-layout'
import { type Branch, type MapNode, mostDrawn, planMap } from './map-plan'

const pageSize = 100

const node = (id: number, children: number): ScopeTreeNode => ({
  links: [],
  id,
  name: `Scope ${id}`,
  automaticAddDatacenter: false,
  automaticAddEnterprise: false,
  children,
  enterprises: 0,
  datacenters: 0,
  users: 0,
  usersBelow: 0,
  match: false,
})

/** Each scope has this many children, whose ids follow from its own. */
const evenTree =
  (width: number) =>
  (parent: number, pages: number): Branch => ({
    total: width,
    nodes: Array.from({ length: Math.min(width, pages * pageSize) }, (_, index) =>
      node(parent * 1000 + index + 1, width),
    ),
  })

const top: Branch = { nodes: [node(1, 265)], total: 1 }
const rests = (below: MapNode[]): MapNode[] =>
  below.flatMap((child) => (child.kind === 'rest' ? [child] : rests(child.below)))

test('of a long branch, twenty are drawn and one box replaces the others', () => {
  const read = (parent: number): Branch => ({
    total: 265,
    nodes: Array.from({ length: 100 }, (_, index) => node(parent * 1000 + index, 0)),
  })
  const plan = planMap({ top, read, open: new Map(), pageSize })
  expect(plan).toMatchObject({ shown: 21, hidden: 245, wanted: [[1, 1]] })
  expect(rests(plan.below)).toEqual([{ kind: 'rest', parent: 1, name: 'Scope 1', count: 245 }])
})

test('branches opened by the user are drawn in whole pages', () => {
  const plan = planMap({ top, read: evenTree(265), open: new Map([[1, 2]]), pageSize })
  expect(plan.wanted).toContainEqual([1, 2])
  expect(rests(plan.below)).toContainEqual({ kind: 'rest', parent: 1, name: 'Scope 1', count: 65 })
})

test.each([2, 7, 100])(
  'a tree without an end, %i wide, is drawn to its limit and asked for no more',
  (width) => {
    const plan = planMap({ top, read: evenTree(width), open: new Map(), pageSize })
    expect(plan.shown).toBeLessThanOrEqual(mostDrawn)
    expect(plan.wanted.length).toBeLessThanOrEqual(40)
    expect(plan.hidden).toBeGreaterThan(0)
  },
)

test('a branch that is not read yet is asked for', () => {
  const plan = planMap({ top, read: () => undefined, open: new Map(), pageSize })
  expect(plan).toMatchObject({ shown: 1, wanted: [[1, 1]] })
})

test('no two boxes lie on one another, and each level has its own column', () => {
  const { below } = planMap({ top, read: evenTree(7), open: new Map(), pageSize })
  const { nodes, width, height } = layMap(below)
  const columns = Map.groupBy(nodes, ({ x }) => x)
  expect(columns.size).toBe(new Set(nodes.map(({ level }) => level)).size)
  for (const column of columns.values()) {
    const places = column.map(({ y }) => y).sort((one, other) => one - other)
    const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0))
    expect(Math.min(...gaps, 88)).toBeGreaterThanOrEqual(88)
  }
  expect(Math.max(...nodes.map(({ x }) => x))).toBeLessThan(width)
  expect(Math.max(...nodes.map(({ y }) => y))).toBeLessThan(height)
})

describe('the way to a found scope', () => {
  const way = [node(1, 265), node(1265, 7), node(1265003, 2)]
  const plan = (open: [number, number][] = []) =>
    planMap({ top: { nodes: [node(9, 0)], total: 3 }, read: evenTree(7), open: new Map(open), pageSize, way })
  const names = (below: MapNode[]): unknown[] =>
    below.map((child) =>
      child.kind === 'rest' ? `${child.count} more` : [child.node.id, ...names(child.below).slice(0, 2)],
    )

  test('is drawn with its neighbours folded, and with what is below the scope', () => {
    expect(names(plan().below)).toEqual([
      [
        1,
        [1265, [1265003, [1265003001, expect.anything(), expect.anything()], expect.anything()], '6 more'],
        '264 more',
      ],
      '2 more',
    ])
  })

  test('stays when a branch on it is opened, also where it is on a later page', () => {
    const [root] = plan([[1, 1]]).below
    const ids =
      root?.kind === 'scope' ? root.below.map((child) => child.kind === 'scope' && child.node.id) : []
    expect(ids).toEqual([1001, 1002, 1003, 1004, 1005, 1006, 1007, 1265])
  })
})
