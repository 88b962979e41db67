import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale } from 'use-intl'
import { isSearch, type TreeSearch, treePage, treeSearch } from '#lib/scopes/scopes.queries'
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
  /** Only scopes that open this enterprise, and the way to each. */
  enterprise?: number | undefined
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
function useHits(asked: TreeSearch) {
  const locale = useLocale()
  const key = `${asked.enterprise ?? ''} ${asked.has}`
  const [byHand, setByHand] = useState<{ key: string; flipped: OpenScopes }>({ key, flipped: new Map() })
  const searching = isSearch(asked)
  const search = useInfiniteQuery({ ...treeSearch(asked), placeholderData: (before) => before })
  const pages = searching ? (search.data?.pages ?? []) : []
  const hits = mergeHits(pages)
  const total = pages.at(-1)?.totalSize
  return {
    searching,
    search,
    found: groupByParent(hits, new Intl.Collator(locale)),
    total,
    unseen: (total ?? 0) - hits.filter(({ match }) => match).length,
    flipped: byHand.key === key ? byHand.flipped : new Map<number, number>(),
    setFlipped: (flipped: OpenScopes) => setByHand({ key, flipped }),
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

/** Answers each id once: every row of a large tree asks. */
function remembered<T>(answer: (id: number) => T): (id: number) => T {
  const known = new Map<number, T>()
  return (id) => {
    const value = known.get(id) ?? answer(id)
    known.set(id, value)
    return value
  }
}

/** The tree of scopes: loads what is open, a page at a time, or what a search finds with the way to it. */
export function useScopeTree({
  root = 0,
  has = '',
  enterprise,
  open: chosen,
  onOpenChange,
}: Options): ScopeTree {
  const { searching, search, found, total, unseen, flipped, setFlipped } = useHits({ has, enterprise })
  const top = useQuery(treePage(root, 0))
  const atFirst = openAtFirst(root === 0 ? (top.data?.collection ?? []) : [])

  const open = searching ? flipped : (chosen ?? atFirst)
  const setOpen = searching ? setFlipped : onOpenChange

  const wanted = [...open]
    .filter(([id]) => !found.has(id))
    .flatMap(([id, pages]) => Array.from({ length: pages }, (_, page) => ({ id, page })))
  const pages = useQueries({ queries: wanted.map(({ id, page }) => treePage(id || root, page)) })
  const places = Map.groupBy(wanted.keys(), (place) => wanted[place]?.id ?? 0)
  const pagesOf = (id: number) => (places.get(id) ?? []).flatMap((place) => pages[place] ?? [])

  const branch = remembered((id: number): Branch => {
    const nodes = found.get(id)
    if (!nodes) return joinPages(pagesOf(id).map(({ data, isError }) => ({ data, failed: isError })))
    if (id !== 0) return { nodes, total: nodes.length, status: 'finished' }
    return { nodes, total: nodes.length + unseen, status: statusOf(search) }
  })

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
    // Below what opens an enterprise stands also what does not open it: the filter shows the hits alone.
    canOpen: ({ id, children }) => found.has(id) || (children > 0 && enterprise === undefined),
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
