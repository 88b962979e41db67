import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import type { OpenScopes } from './open-scopes'

/** A node of the map: a scope, or the box for the hidden children of a scope. */
export type MapScope = { kind: 'scope'; node: ScopeTreeNode; below: MapNode[] }
export type MapRest = { kind: 'rest'; parent: number; name: string | undefined; count: number }
export type MapNode = MapScope | MapRest

export type Branch = { nodes: readonly ScopeTreeNode[]; total: number }

type PlanInput = {
  /** The scopes at the left edge. */
  top: Branch
  /** The loaded part of a branch: its first pages. */
  read: (parent: number, pages: number) => Branch | undefined
  /** The branches that the user opened, each with its number of pages. */
  open: OpenScopes
  pageSize: number
  /** The scope that the user looked for and all above it, the topmost first. Branches on the way show it alone until they are opened. */
  way?: readonly ScopeTreeNode[]
}

export type MapPlan = {
  below: MapNode[]
  wanted: [parent: number, pages: number][]
  shown: number
  hidden: number
}

/** About the number of scopes that a user can follow in a drawing. Branches opened by the user are added to it. */
export const mostDrawn = 300

/** Of a longer branch, the others open on demand. */
export const firstOfBranch = 20

/** Without being opened, only the roots and so many levels below them are drawn. */
const levelsBelow = 2

/** Limits the requests of a map before the user opens branches. */
const mostBranches = 40

/** The scopes of the map, level by level until it is full, and the branches that must be loaded for it. */
export function planMap({ top, read, open, pageSize, way = [] }: PlanInput): MapPlan {
  const plan: MapPlan = { below: [], wanted: [], shown: 0, hidden: 0 }
  let branches = 0
  const queue: { scope: MapScope; depth: number }[] = []

  const draw = (
    parent: Pick<ScopeTreeNode, 'id' | 'name'> | undefined,
    branch: Branch,
    most: number,
    depth: number,
  ) => {
    const drawn = branch.nodes.slice(0, most)
    const next = nextOnWay(parent?.id)
    if (next && !drawn.some(({ id }) => id === next.id)) drawn.push(next)
    const below: MapNode[] = drawn.map((node) => ({ kind: 'scope', node, below: [] }) satisfies MapScope)
    for (const scope of below) if (scope.kind === 'scope') queue.push({ scope, depth })
    plan.shown += below.length
    return [...below, ...restOf(parent, branch.total - below.length)]
  }
  const restOf = (parent: Pick<ScopeTreeNode, 'id' | 'name'> | undefined, count: number): MapRest[] => {
    if (count <= 0) return []
    plan.hidden += count
    return [{ kind: 'rest', parent: parent?.id ?? 0, name: parent?.name, count }]
  }

  function nextOnWay(parent: number | undefined): ScopeTreeNode | undefined {
    const at = way.findIndex(({ id }) => id === parent)
    return parent === undefined || at >= 0 ? way[at + 1] : undefined
  }
  /** A branch on the way is drawn without the others in it. */
  const folded = (total: number): Branch => ({ nodes: [], total })

  const pagesOfTop = open.get(0) ?? 1
  plan.below = draw(
    undefined,
    way.length > 0 && pagesOfTop === 1 ? folded(top.total) : top,
    pagesOfTop * pageSize,
    0,
  )
  for (const { scope, depth } of queue) {
    const { node } = scope
    if (node.children === 0) continue
    const pages = open.get(node.id) ?? 0
    if (pages === 0 && nextOnWay(node.id)) {
      scope.below = draw(node, folded(node.children), 0, 0)
      continue
    }
    const fits =
      depth < levelsBelow &&
      plan.shown + Math.min(node.children, firstOfBranch) <= mostDrawn &&
      branches < mostBranches
    if (pages === 0 && !fits) {
      scope.below = restOf(node, node.children)
      continue
    }
    branches += 1
    const branch = read(node.id, Math.max(pages, 1))
    plan.wanted.push([node.id, Math.max(pages, 1)])
    if (branch) scope.below = draw(node, branch, pages > 0 ? pages * pageSize : firstOfBranch, depth + 1)
  }
  return plan
}
