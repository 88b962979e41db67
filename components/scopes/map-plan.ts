import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import type { OpenScopes } from './open-scopes'

/** A node of the map: a scope, or the box that stands for those below its parent that are not drawn. */
export type MapScope = { kind: 'scope'; node: ScopeTreeNode; below: MapNode[] }
export type MapRest = { kind: 'rest'; parent: number; name: string | undefined; count: number }
export type MapNode = MapScope | MapRest

export type Branch = { nodes: readonly ScopeTreeNode[]; total: number }

type PlanInput = {
  /** The scopes at the left edge. */
  top: Branch
  /** What is known of a branch: its first pages. */
  read: (parent: number, pages: number) => Branch | undefined
  /** The branches that the user opened, each with its number of pages. */
  open: OpenScopes
  pageSize: number
}

export type MapPlan = {
  below: MapNode[]
  wanted: [parent: number, pages: number][]
  shown: number
  hidden: number
}

/** About as many scopes as one can follow in a drawing. What the user opens comes on top. */
export const mostDrawn = 300

/** Of a longer branch, the others open on demand. */
export const firstOfBranch = 20

/** Limits the requests of a map that nobody has opened anything in. */
const mostBranches = 40

/** What the map draws, level by level until it is full, and the branches that it needs to have read. */
export function planMap({ top, read, open, pageSize }: PlanInput): MapPlan {
  const plan: MapPlan = { below: [], wanted: [], shown: 0, hidden: 0 }
  let branches = 0
  const queue: MapScope[] = []

  const draw = (parent: Pick<ScopeTreeNode, 'id' | 'name'> | undefined, branch: Branch, most: number) => {
    const below: MapNode[] = branch.nodes
      .slice(0, most)
      .map((node) => ({ kind: 'scope', node, below: [] }) satisfies MapScope)
    queue.push(...below.filter((child) => child.kind === 'scope'))
    plan.shown += below.length
    return [...below, ...restOf(parent, branch.total - below.length)]
  }
  const restOf = (parent: Pick<ScopeTreeNode, 'id' | 'name'> | undefined, count: number): MapRest[] => {
    if (count <= 0) return []
    plan.hidden += count
    return [{ kind: 'rest', parent: parent?.id ?? 0, name: parent?.name, count }]
  }

  plan.below = draw(undefined, top, (open.get(0) ?? 1) * pageSize)
  for (const scope of queue) {
    const { node } = scope
    if (node.children === 0) continue
    const pages = open.get(node.id) ?? 0
    const fits = plan.shown + Math.min(node.children, firstOfBranch) <= mostDrawn && branches < mostBranches
    if (pages === 0 && !fits) {
      scope.below = restOf(node, node.children)
      continue
    }
    branches += 1
    const branch = read(node.id, Math.max(pages, 1))
    plan.wanted.push([node.id, Math.max(pages, 1)])
    if (branch) scope.below = draw(node, branch, pages > 0 ? pages * pageSize : firstOfBranch)
  }
  return plan
}
