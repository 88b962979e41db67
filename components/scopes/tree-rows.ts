import type { ScopeTreeNode } from '#lib/scopes/scopes.schema'
import type { OpenScopes } from './open-scopes'

export type BranchStatus = 'loading' | 'error' | 'pending' | 'finished'

/** The children of one scope as far as they are here; `pending` means that the server has more. */
export type Branch = { nodes: readonly ScopeTreeNode[]; total: number; status: BranchStatus }

/** What is known of one page of children: its answer, or that it is on its way or failed. */
type PageState = { data?: { collection: ScopeTreeNode[]; totalSize: number }; failed: boolean }

/** Pages of a tree that changes meanwhile may overlap: a node is shown once, where it came first. */
export function joinPages(pages: readonly PageState[]): Branch {
  const nodes = new Map<number, ScopeTreeNode>()
  for (const { data } of pages) {
    for (const node of data?.collection ?? []) if (!nodes.has(node.id)) nodes.set(node.id, node)
  }
  const total = pages.findLast(({ data }) => data)?.data?.totalSize ?? 0
  return { nodes: [...nodes.values()], total, status: statusOf(pages, nodes.size < total) }
}

function statusOf(pages: readonly PageState[], more: boolean): BranchStatus {
  if (pages.some(({ failed }) => failed)) return 'error'
  if (pages.some(({ data }) => !data)) return 'loading'
  return more ? 'pending' : 'finished'
}

/** The pages of a search share ways to their hits, and the way to one hit may itself be a hit of a later page. */
export function mergeHits(pages: readonly { collection: ScopeTreeNode[] }[]): ScopeTreeNode[] {
  const nodes = new Map<number, ScopeTreeNode>()
  for (const node of pages.flatMap(({ collection }) => collection)) {
    if (node.match || !nodes.has(node.id)) nodes.set(node.id, node)
  }
  return [...nodes.values()]
}

/** A search comes flat: sorts it into roots (key 0) and children, by the order of names that the reader is used to. */
export function groupByParent(
  nodes: readonly ScopeTreeNode[],
  { compare }: Intl.Collator,
): Map<number, ScopeTreeNode[]> {
  const ids = new Set(nodes.map(({ id }) => id))
  const byName = nodes.toSorted((one, other) => compare(one.name, other.name) || one.id - other.id)
  return Map.groupBy(byName, ({ parent }) => (parent !== undefined && ids.has(parent) ? parent : 0))
}

/** In a search the ways to the hits are open unless closed by hand, all else is closed unless opened by hand. */
export const openInSearch = (found: ReadonlyMap<number, unknown>, flipped: OpenScopes, id: number): boolean =>
  found.has(id) !== flipped.has(id)

/** The rows as they stand one below the other. */
export function visibleRows(
  roots: readonly ScopeTreeNode[],
  isOpen: (id: number) => boolean,
  childrenOf: (id: number) => readonly ScopeTreeNode[],
): ScopeTreeNode[] {
  return roots.flatMap((node) => [
    node,
    ...(isOpen(node.id) ? visibleRows(childrenOf(node.id), isOpen, childrenOf) : []),
  ])
}

/** Without a choice of the user: a few roots are shown opened, for a lone closed root tells nothing. */
export const openAtFirst = (roots: readonly ScopeTreeNode[]): OpenScopes =>
  new Map(
    [0, ...(roots.length <= 3 ? roots.filter(({ children }) => children > 0).map(({ id }) => id) : [])].map(
      (id) => [id, 1],
    ),
  )

/** Whether the node is this scope or stands anywhere below it, as far as the tree at hand tells. */
export function isWithin(
  node: ScopeTreeNode,
  scope: number,
  nodeById: (id: number) => ScopeTreeNode | undefined,
): boolean {
  const seen = new Set<number>()
  for (
    let at: ScopeTreeNode | undefined = node;
    at && !seen.has(at.id);
    at = at.parent === undefined ? undefined : nodeById(at.parent)
  ) {
    if (at.id === scope) return true
    seen.add(at.id)
  }
  return false
}

/** Why a node cannot be the new parent of a scope (a word of `scopes.rules`), as far as the tree at hand tells. */
export function parentRefusal(
  node: ScopeTreeNode,
  scope: { id: number } | undefined,
  parentNow: number | undefined,
  nodeById: (id: number) => ScopeTreeNode | undefined,
): 'isParent' | 'isItself' | 'isBelow' | undefined {
  if (node.id === parentNow) return 'isParent'
  if (!scope || !isWithin(node, scope.id, nodeById)) return undefined
  return node.id === scope.id ? 'isItself' : 'isBelow'
}
