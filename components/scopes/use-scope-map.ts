import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchPath } from '#components/base/screens/use-search-change'
import { scopeWay, treeNode, treePage, treePageSize } from '#lib/caller/scopes/scopes.queries'
import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import { type Branch, planMap } from './map-plan'
import { formatOpen, type OpenScopes, toggled, useOpenScopes, withMore } from './open-scopes'

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
  const plan = isReady && top && planMap({ top, read, open, pageSize: treePageSize, way: way.data ?? [] })
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
  const failed = [start, way, ...reads].filter(({ isError }) => isError)
  return {
    plan: plan || undefined,
    isLoading: reads.some(({ isPending }) => isPending),
    rootName: start.data?.name,
    error: failed[0]?.error ?? null,
    refetch: () => Promise.all(failed.map(({ refetch }) => refetch())),
    /** Draws the next page of a branch. */
    openMore: (parent: number) => change(opened(open, parent)),
    moreHref: (parent: number) => pathWith({ open: formatOpen(opened(open, parent)) }),
  }
}

const opened = (open: OpenScopes, parent: number): OpenScopes =>
  open.has(parent) ? withMore(open, parent) : toggled(open, parent)
