import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import type { OpenScopes } from './open-scopes'

export type BranchStatus = 'loading' | 'error' | 'pending' | 'finished'

/** The loaded children of one scope; `pending` means that the server has more. */
export type Branch = { nodes: readonly ScopeTreeNode[]; total: number; status: BranchStatus }

/** One page of children; without data the page is loading or failed. */
type PageState = { data?: { collection: ScopeTreeNode[]; totalSize: number }; failed: boolean }

/** Joins pages. Pages of a changing tree may overlap: a node keeps its first position. */
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

/** Joins the pages of a search. Pages repeat ancestors, and an ancestor on one page may be a hit on a later one. */
export function mergeHits(pages: readonly { collection: ScopeTreeNode[] }[]): ScopeTreeNode[] {
  const nodes = new Map<number, ScopeTreeNode>()
  for (const node of pages.flatMap(({ collection }) => collection)) {
    if (node.match || !nodes.has(node.id)) nodes.set(node.id, node)
  }
  return [...nodes.values()]
}

/** Sorts the flat result of a search into roots (key 0) and children, ordered by name in the reader's locale. */
export function groupByParent(
  nodes: readonly ScopeTreeNode[],
  { compare }: Intl.Collator,
): Map<number, ScopeTreeNode[]> {
  const ids = new Set(nodes.map(({ id }) => id))
  const byName = nodes.toSorted((one, other) => compare(one.name, other.name) || one.id - other.id)
  return Map.groupBy(byName, ({ parent }) => (parent !== undefined && ids.has(parent) ? parent : 0))
}

/** In a search, ancestors of hits are open and other scopes are closed, unless the user flipped them. */
export const openInSearch = (found: ReadonlyMap<number, unknown>, flipped: OpenScopes, id: number): boolean =>
  found.has(id) !== flipped.has(id)

/** Before the user opens anything: up to three roots start open, because a lone closed root shows nothing. */
export const openAtFirst = (roots: readonly ScopeTreeNode[]): OpenScopes =>
  new Map(
    [0, ...(roots.length <= 3 ? roots.filter(({ children }) => children > 0).map(({ id }) => id) : [])].map(
      (id) => [id, 1],
    ),
  )

type NodeOf = (id: number) => ScopeTreeNode | undefined

/** True if the node is this scope or one of its descendants, in the loaded part of the tree. */
function isWithin(node: ScopeTreeNode, scope: number, nodeOf: NodeOf): boolean {
  const seen = new Set<number>()
  for (
    let at: ScopeTreeNode | undefined = node;
    at && !seen.has(at.id);
    at = at.parent === undefined ? undefined : nodeOf(at.parent)
  ) {
    if (at.id === scope) return true
    seen.add(at.id)
  }
  return false
}

type Move = { scope: { id: number } | undefined; parentNow: number | undefined; nodeOf: NodeOf }

/** The reason why a node cannot be the new parent of a scope (a word of `scopes.rules`), judged by the loaded part of the tree. */
export function parentRefusal(
  node: ScopeTreeNode,
  { scope, parentNow, nodeOf }: Move,
): 'isParent' | 'isItself' | 'isBelow' | undefined {
  if (node.id === parentNow) return 'isParent'
  if (!scope || !isWithin(node, scope.id, nodeOf)) return undefined
  return node.id === scope.id ? 'isItself' : 'isBelow'
}
