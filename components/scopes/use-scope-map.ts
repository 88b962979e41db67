import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchPath } from '#components/base/screens/use-search-change'
import { scopeWay, treeNode, treePage, treePageSize } from '#lib/caller/scopes/scopes.queries'
import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import { type Branch, type MapNode, planMap } from './map-plan'
import { formatOpen, type OpenScopes, toggled, useOpenScopes, withMore } from './open-scopes'
import type { DrawnBranch } from './scopes-since'
import { type ScopesSince, useScopesSince } from './use-scopes-since'

const rootsOnly: OpenScopes = new Map([[0, 1]])

/** The map below one scope, of the way to a found one, or of all visible scopes. Loads only the drawn scopes, by the same requests as the tree. */
export function useScopeMap(root: number | undefined, found?: number) {
  const client = useQueryClient()
  const pathWith = useSearchPath()
  const { open: kept, change } = useOpenScopes(`scopes.map.${root ?? found ?? 0}`)
  const open = kept ?? rootsOnly
  const start = useQuery({ ...treeNode(root ?? 0), enabled: root !== undefined })
  const pagesOfTop = Math.max(open.get(0) ?? 0, 1)

  const read = (parent: number, pages: number): Branch | undefined => {
    const nodes: ScopeTreeNode[] = []
    let total: number | undefined
    // A page behind the end repeats the last one.
    for (let page = 0; page < pages && nodes.length < (total ?? 1); page += 1) {
      const found = client.getQueryData(treePage(parent, page).queryKey)
      if (!found) break
      total = found.totalSize
      nodes.push(...found.collection)
    }
    return total === undefined ? undefined : { nodes, total }
  }
  const top = root === undefined ? read(0, pagesOfTop) : start.data && { nodes: [start.data], total: 1 }
  const isSearch = root === undefined && found !== undefined
  const way = useQuery({ ...scopeWay(found ?? 0), enabled: isSearch })
  const isReady = !isSearch || way.data !== undefined
  const plan =
    isReady && top ? planMap({ top, read, open, pageSize: treePageSize, way: way.data ?? [] }) : undefined
  const wanted: [number, number][] = [
    ...(root === undefined ? [[0, pagesOfTop] as [number, number]] : []),
    ...(plan ? plan.wanted : []),
  ]
  const reads = useQueries({
    queries: wanted.flatMap(([parent, pages]) =>
      Array.from({ length: pages }, (_, page) => ({
        ...treePage(parent, page),
        // The plan reads the data from the cache, which the library does not notice.
        notifyOnChangeProps: 'all' as const,
      })),
    ),
  })
  const since = useScopesSince(
    plan
      ? branchesOf(root === undefined ? 0 : (start.data?.parent ?? 0), plan.below, root === undefined)
      : [],
    !isSearch,
  )
  const failed = [start, way, ...reads].filter(({ isError }) => isError)
  return {
    plan:
      plan &&
      (since.isOn
        ? { ...plan, below: withNew(plan.below, root === undefined ? 0 : undefined, since) }
        : plan),
    since,
    isLoading: reads.some(({ isPending }) => isPending),
    rootName: start.data?.name,
    error: failed[0]?.error ?? null,
    refetch: () => Promise.all(failed.map(({ refetch }) => refetch())),
    /** Draws the next page of a branch. */
    openMore: (parent: number) => change(opened(open, parent)),
    moreHref: (parent: number) => pathWith({ open: formatOpen(opened(open, parent)) }),
  }
}

/** The branches of the drawing. */
const branchesOf = (parent: number, below: readonly MapNode[], canBeWhole = true): DrawnBranch[] => {
  const scopes = below.filter((item) => item.kind === 'scope')
  const nodes = scopes.map(({ node }) => node)
  const inner = scopes.flatMap(({ node, below }) => (below.length > 0 ? branchesOf(node.id, below) : []))
  return [{ parent, nodes, isWhole: canBeWhole && scopes.length === below.length }, ...inner]
}

/** The drawing with the scopes that have come into its branches. */
const withNew = (below: readonly MapNode[], parent: number | undefined, since: ScopesSince): MapNode[] => [
  ...below.map((item) =>
    item.kind === 'scope' ? { ...item, below: withNew(item.below, item.node.id, since) } : item,
  ),
  ...(parent === undefined ? [] : since.newIn(parent)).map((node) => ({
    kind: 'scope' as const,
    node,
    below: [],
  })),
]

const opened = (open: OpenScopes, parent: number): OpenScopes =>
  open.has(parent) ? withMore(open, parent) : toggled(open, parent)
