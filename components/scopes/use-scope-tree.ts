import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale } from 'use-intl'
import { isSearch, type TreeSearch, treePage, treeSearch } from '#lib/caller/scopes/scopes.queries'
import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import { type OpenScopes, toggled, withMore } from './open-scopes'
import type { DrawnBranch } from './scopes-since'
import { isNode, type TreeLine, treeLines } from './tree-lines'
import {
  type Branch,
  type BranchStatus,
  groupByParent,
  joinPages,
  mergeHits,
  openAtFirst,
  openInSearch,
} from './tree-rows'
import { type ScopesSince, useScopesSince } from './use-scopes-since'

type Options = {
  /** The scope whose children are the top level; 0 for the visible roots. */
  root?: number
  has?: string
  /** Only scopes that open this enterprise, with their ancestors. */
  enterprise?: number | undefined
  /** Only scopes that changed so, with their ancestors. */
  changed?: string | undefined
  /** Only scopes with this tag, with their ancestors. */
  tag?: string | undefined
  /** Undefined until the user has opened or closed something. */
  open: OpenScopes | undefined
  onOpenChange: (open: OpenScopes) => void
}

export type ScopeTree = {
  /** All visible lines, from top to bottom. */
  lines: readonly TreeLine[]
  since: ScopesSince
  /** A scope among the visible lines. */
  nodeOf: (id: number) => ScopeTreeNode | undefined
  has: string
  /** Number of hits while searching. */
  hits: number | undefined
  loading: boolean
  searching: boolean
  error: Error | null
  /** The children of a scope; 0 for the top level. */
  branch: (id: number) => Branch
  /** Why the children of a scope could not be loaded. */
  failureOf: (id: number) => Error | null
  toggle: (id: number) => void
  /** Opens a scope if it is closed, so that its new children are visible. */
  reveal: (id: number) => void
  showMore: (id: number) => void
  retry: (id: number) => void
}

/** The result of a search, and the scopes that the user opened or closed in it by hand. */
function useHits(wanted: TreeSearch) {
  const locale = useLocale()
  const key = `${wanted.enterprise ?? ''} ${wanted.changed ?? ''} ${JSON.stringify([wanted.tag, wanted.has])}`
  const [byHand, setByHand] = useState<{ key: string; flipped: OpenScopes }>({ key, flipped: new Map() })
  const searching = isSearch(wanted)
  const search = useInfiniteQuery({ ...treeSearch(wanted), placeholderData: (before) => before })
  const pages = searching ? (search.data?.pages ?? []) : []
  const hits = mergeHits(pages)
  const total = pages.at(-1)?.totalSize
  return {
    searching,
    search,
    found: groupByParent(hits, new Intl.Collator(locale, { numeric: true })),
    total,
    unseen: (total ?? 0) - hits.filter(({ match }) => match).length,
    flipped: byHand.key === key ? byHand.flipped : new Map<number, number>(),
    setFlipped: (flipped: OpenScopes) => setByHand({ key, flipped }),
  }
}

/** The status of the hits that are not loaded yet. */
function statusOf(search: ReturnType<typeof useHits>['search']): BranchStatus {
  if (search.isFetchingNextPage) return 'loading'
  if (search.isFetchNextPageError) return 'error'
  return search.hasNextPage ? 'pending' : 'finished'
}

/** The loaded pages of the open scopes, by scope. */
function useOpenPages(open: readonly [number, number][], root: number) {
  const wanted = open.flatMap(([id, pages]) => Array.from({ length: pages }, (_, page) => ({ id, page })))
  const pages = useQueries({ queries: wanted.map(({ id, page }) => treePage(id || root, page)) })
  const places = Map.groupBy(wanted.keys(), (place) => wanted[place]?.id ?? 0)
  return (id: number) => (places.get(id) ?? []).flatMap((place) => pages[place] ?? [])
}

/** Caches the result of each id: every row of a large tree calls it. */
function memoized<T>(answer: (id: number) => T): (id: number) => T {
  const known = new Map<number, T>()
  return (id) => {
    const value = known.get(id) ?? answer(id)
    known.set(id, value)
    return value
  }
}

/** The top level, and the branches that are open in it. */
const drawnBranches = (lines: readonly TreeLine[], branch: (id: number) => Branch, root: number) =>
  [0, ...lines.filter(isNode).flatMap(({ node, open }) => (open ? [node.id] : []))].map((id): DrawnBranch => {
    const { nodes, status } = branch(id)
    return { parent: id || root, nodes, isWhole: status === 'finished' }
  })

/** A branch of then with the scopes that have come into it, by their names. */
function withNew(branch: Branch, came: readonly ScopeTreeNode[], locale: string): Branch {
  if (came.length === 0) return branch
  const { compare } = new Intl.Collator(locale, { numeric: true })
  const nodes = [...branch.nodes, ...came].toSorted((one, other) => compare(one.name, other.name))
  return { ...branch, nodes, total: branch.total + came.length }
}

/** The tree of scopes: loads open scopes page by page, or the hits of a search with their ancestors. */
export function useScopeTree({
  root = 0,
  has = '',
  enterprise,
  changed,
  tag,
  open: chosen,
  onOpenChange,
}: Options): ScopeTree {
  const locale = useLocale()
  const { searching, search, found, total, unseen, flipped, setFlipped } = useHits({
    has,
    enterprise,
    changed,
    tag,
  })
  const top = useQuery(treePage(root, 0))
  const open = searching ? flipped : (chosen ?? openAtFirst(root === 0 ? (top.data?.collection ?? []) : []))
  const setOpen = searching ? setFlipped : onOpenChange
  const pagesOf = useOpenPages(
    [...open].filter(([id]) => !found.has(id)),
    root,
  )

  const branch = memoized((id: number): Branch => {
    const nodes = found.get(id)
    if (!nodes) return joinPages(pagesOf(id).map(({ data, isError }) => ({ data, failed: isError })))
    if (id !== 0) return { nodes, total: nodes.length, status: 'finished' }
    return { nodes, total: nodes.length + unseen, status: statusOf(search) }
  })
  const isOpen = (id: number) => (searching ? openInSearch(found, open, id) : open.has(id))
  // A scope that opens the enterprise may have children that do not: under the filter only hits open.
  const canOpen = ({ id, children }: ScopeTreeNode) =>
    found.has(id) || (children > 0 && enterprise === undefined)
  const plain = treeLines({ branch, isOpen, canOpen })
  const since = useScopesSince(drawnBranches(plain, branch, root), !searching)
  const lines = since.isOn
    ? treeLines({
        branch: (id) => withNew(branch(id), since.newIn(id || root), locale),
        isOpen,
        canOpen: (node) => canOpen(node) && !since.isNew(node.id),
      })
    : plain
  const nodes = new Map(
    lines.filter(isNode).flatMap(({ node }) => (since.isNew(node.id) ? [] : [[node.id, node]])),
  )

  return {
    lines,
    since,
    nodeOf: (id) => nodes.get(id),
    has,
    hits: total,
    loading: searching ? search.isPending : top.isPending,
    searching: searching && search.isFetching,
    error: searching ? search.error : top.error,
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
