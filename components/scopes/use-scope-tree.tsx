import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { treePage, treeSearch } from '#lib/scopes/scopes.queries'
import type { ScopeTreeNode } from '#lib/scopes/scopes.schema'
import { type OpenScopes, toggled, withMore } from './open-scopes'
import {
  type Branch,
  type BranchStatus,
  groupByParent,
  joinPages,
  mergeHits,
  openAtFirst,
  openInSearch,
  visibleRows,
} from './tree-rows'

type Options = {
  /** Whose children are the topmost rows; 0 for the visible roots. */
  root?: number
  has?: string
  /** Undefined until the user has opened or closed something. */
  open: OpenScopes | undefined
  onOpenChange: (open: OpenScopes) => void
}

export type ScopeTree = {
  roots: readonly ScopeTreeNode[]
  /** All rows that are in view, from top to bottom. */
  rows: readonly ScopeTreeNode[]
  has: string
  /** Number of hits while searching. */
  hits: number | undefined
  loading: boolean
  searching: boolean
  error: Error | null
  isOpen: (id: number) => boolean
  canOpen: (node: ScopeTreeNode) => boolean
  childrenOf: (id: number) => readonly ScopeTreeNode[]
  /** Of the children of a scope; 0 for the topmost rows. */
  branch: (id: number) => Branch
  /** Why the children of a scope could not be loaded. */
  failureOf: (id: number) => Error | null
  toggle: (id: number) => void
  /** Opens a scope that is closed, so that what came below it can be seen. */
  reveal: (id: number) => void
  showMore: (id: number) => void
  retry: (id: number) => void
}

/** What a search finds, and what of it the user opened or closed by hand: that ends with the search. */
function useHits(has: string) {
  const [byHand, setByHand] = useState<{ has: string; flipped: OpenScopes }>({ has, flipped: new Map() })
  const search = useInfiniteQuery({ ...treeSearch(has), placeholderData: (before) => before })
  const pages = has === '' ? [] : (search.data?.pages ?? [])
  const hits = mergeHits(pages)
  const total = pages.at(-1)?.totalSize
  return {
    search,
    found: groupByParent(hits),
    total,
    unseen: (total ?? 0) - hits.filter(({ match }) => match).length,
    flipped: byHand.has === has ? byHand.flipped : new Map<number, number>(),
    setFlipped: (flipped: OpenScopes) => setByHand({ has, flipped }),
  }
}

/** Of the hits that are not shown yet. */
function statusOf(search: {
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  hasNextPage: boolean
}): BranchStatus {
  if (search.isFetchingNextPage) return 'loading'
  if (search.isFetchNextPageError) return 'error'
  return search.hasNextPage ? 'pending' : 'finished'
}

/** The tree of scopes: loads what is open, a page at a time, or what a search finds with the way to it. */
export function useScopeTree({ root = 0, has = '', open: chosen, onOpenChange }: Options): ScopeTree {
  const searching = has !== ''
  const { search, found, total, unseen, flipped, setFlipped } = useHits(has)
  const top = useQuery(treePage(root, 0))
  const atFirst = openAtFirst(root === 0 ? (top.data?.collection ?? []) : [])

  const open = searching ? flipped : (chosen ?? atFirst)
  const setOpen = searching ? setFlipped : onOpenChange

  const wanted = [...open]
    .filter(([id]) => !found.has(id))
    .flatMap(([id, pages]) => Array.from({ length: pages }, (_, page) => ({ id, page })))
  const pages = useQueries({ queries: wanted.map(({ id, page }) => treePage(id || root, page)) })
  const pagesOf = (id: number) => pages.filter((_, index) => wanted[index]?.id === id)

  const branch = (id: number): Branch => {
    const nodes = found.get(id)
    if (!nodes) return joinPages(pagesOf(id).map(({ data, isError }) => ({ data, failed: isError })))
    if (id !== 0) return { nodes, total: nodes.length, status: 'finished' }
    return { nodes, total: nodes.length + unseen, status: statusOf(search) }
  }

  const isOpen = (id: number) => (searching ? openInSearch(found, open, id) : open.has(id))
  const childrenOf = (id: number) => branch(id).nodes
  const roots = childrenOf(0)

  return {
    roots,
    rows: visibleRows(roots, isOpen, childrenOf),
    has,
    hits: total,
    loading: searching ? search.isPending : top.isPending,
    searching: searching && search.isFetching,
    error: searching ? search.error : top.error,
    isOpen,
    canOpen: (node) => node.children > 0 || found.has(node.id),
    childrenOf,
    branch,
    failureOf: (id) =>
      searching && id === 0 ? search.error : (pagesOf(id).find(({ error }) => error)?.error ?? null),
    toggle: (id) => setOpen(toggled(open, id)),
    reveal: (id) => {
      if (!isOpen(id)) setOpen(toggled(open, id))
    },
    showMore: (id) => (searching && id === 0 ? void search.fetchNextPage() : setOpen(withMore(open, id))),
    retry: (id) => {
      if (searching && id === 0) {
        return void (search.isFetchNextPageError ? search.fetchNextPage() : search.refetch())
      }
      for (const page of pagesOf(id)) if (page.isError) void page.refetch()
    },
  }
}
