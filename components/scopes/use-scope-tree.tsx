import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { treePage, treePageSize, treeSearch } from '#lib/scopes/scopes.queries'
import type { ScopeTreeNode } from '#lib/scopes/scopes.schema'
import { type OpenScopes, toggled, withMore } from './open-scopes'
import { type Branch, groupByParent, joinPages, openAtFirst, openInSearch, visibleRows } from './tree-rows'

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

type Search = { has: string; flipped: OpenScopes; limit: number }

const freshSearch = (has: string): Search => ({ has, flipped: new Map(), limit: treePageSize })

/** The tree of scopes: loads what is open, a page at a time, or what a search finds with the way to it. */
export function useScopeTree({ root = 0, has = '', open: chosen, onOpenChange }: Options): ScopeTree {
  const [lastSearch, setSearch] = useState(() => freshSearch(has))
  const search = lastSearch.has === has ? lastSearch : freshSearch(has)
  const searching = has !== ''

  const top = useQuery(treePage(root, 0))
  const hits = useQuery({ ...treeSearch(has, search.limit), placeholderData: (previous) => previous })
  const found = searching ? groupByParent(hits.data?.collection ?? []) : new Map<number, ScopeTreeNode[]>()

  const open = searching
    ? search.flipped
    : (chosen ?? openAtFirst(root === 0 ? (top.data?.collection ?? []) : []))
  const setOpen = (next: OpenScopes) =>
    searching ? setSearch({ ...search, flipped: next }) : onOpenChange(next)

  const wanted = [...open]
    .filter(([id]) => !found.has(id))
    .flatMap(([id, pages]) => Array.from({ length: pages }, (_, page) => ({ id, page })))
  const pages = useQueries({ queries: wanted.map(({ id, page }) => treePage(id || root, page)) })
  const pagesOf = (id: number) => pages.filter((_, index) => wanted[index]?.id === id)

  const branch = (id: number): Branch => {
    if (!searching || !found.has(id)) {
      return joinPages(pagesOf(id).map(({ data, isError }) => ({ data, failed: isError })))
    }
    const nodes = found.get(id) ?? []
    if (id !== 0) return { nodes, total: nodes.length, status: 'finished' }
    const shown = hits.data?.collection.filter(({ match }) => match).length ?? 0
    const total = hits.data?.totalSize ?? 0
    const status = hits.isPlaceholderData ? 'loading' : shown < total ? 'pending' : 'finished'
    return { nodes, total: total - shown + nodes.length, status }
  }

  const isOpen = (id: number) => (searching ? openInSearch(found, open, id) : open.has(id))
  const childrenOf = (id: number) => found.get(id) ?? branch(id).nodes
  const roots = searching ? (found.get(0) ?? []) : branch(0).nodes

  return {
    roots,
    rows: visibleRows(roots, isOpen, childrenOf),
    has,
    hits: searching ? hits.data?.totalSize : undefined,
    loading: searching ? hits.isPending : top.isPending,
    searching: searching && hits.isFetching,
    error: searching ? hits.error : top.error,
    isOpen,
    canOpen: (node) => node.children > 0 || found.has(node.id),
    childrenOf,
    branch,
    failureOf: (id) => pagesOf(id).find(({ error }) => error)?.error ?? null,
    toggle: (id) => setOpen(toggled(open, id)),
    reveal: (id) => {
      if (!isOpen(id)) setOpen(toggled(open, id))
    },
    showMore: (id) =>
      searching && id === 0
        ? setSearch({ ...search, limit: search.limit + treePageSize })
        : setOpen(withMore(open, id)),
    retry: (id) => {
      if (id === 0) void (searching ? hits : top).refetch()
      for (const page of pagesOf(id)) if (page.isError) void page.refetch()
    },
  }
}
