import { type HierarchyPointNode, hierarchy, tree } from 'd3-hierarchy'
import type { MapNode } from './map-plan'

export const box = { width: 250, height: 66 }
export const step = { across: 320, down: 88 }
const margin = { side: 24, top: 64 }

export type Placed = {
  key: string
  item: MapNode
  level: number
  parent: string | undefined
  x: number
  y: number
}
export type MapLayout = {
  width: number
  height: number
  nodes: Placed[]
  curves: { key: string; path: string }[]
}

type Level = MapNode | { kind: 'top'; below: MapNode[] }

const keyOf = (item: MapNode): string =>
  item.kind === 'scope' ? `${item.node.id}` : `rest of ${item.parent}`

/** Places the nodes: levels from left to right, the children of a scope below one another. */
export function layMap(below: MapNode[]): MapLayout {
  const whole: Level = { kind: 'top', below }
  const root = tree<Level>()
    .nodeSize([step.down, step.across])
    .separation((one, other) => (one.parent === other.parent ? 1 : 1.2))(
    hierarchy<Level>(whole, (level) => (level.kind === 'rest' ? [] : level.below)),
  )
  // The topmost node only holds the roots together.
  const drawn = root.descendants().filter(({ depth }) => depth > 0)
  const above = Math.min(...drawn.map(({ x }) => x))
  const place = ({ x, depth }: HierarchyPointNode<Level>) => ({
    x: margin.side + (depth - 1) * step.across,
    y: margin.top + (x - above),
  })
  const nodes = drawn.map((point): Placed => {
    const item = point.data as MapNode
    const over = point.parent?.data as MapNode | undefined
    const parent = over && 'kind' in over && over.kind === 'scope' ? over.node.name : undefined
    return { key: keyOf(item), item, level: point.depth, parent, ...place(point) }
  })
  const curves = drawn
    .filter(({ depth }) => depth > 1)
    .map((point) => {
      const from = place(point.parent ?? point)
      const to = place(point)
      return { key: keyOf(point.data as MapNode), path: curve(from, to) }
    })
  return {
    width: Math.max(0, ...nodes.map(({ x }) => x)) + box.width + margin.side,
    height: Math.max(0, ...nodes.map(({ y }) => y)) + box.height + margin.side,
    nodes,
    curves,
  }
}

type Point = { x: number; y: number }

function curve(from: Point, to: Point): string {
  const start = { x: from.x + box.width, y: from.y + box.height / 2 }
  const end = { x: to.x, y: to.y + box.height / 2 }
  const middle = (start.x + end.x) / 2
  return `M${start.x} ${start.y}C${middle} ${start.y} ${middle} ${end.y} ${end.x} ${end.y}`
}
