import { type QueryClient, useQueries, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { isGone, type Present, useComparing, usePresent } from '#components/frame/as-of/present'
import { treeNode, treePage, treePageSize } from '#lib/caller/scopes/scopes.queries'
import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import { arrivalOf, type DrawnBranch, newIn, type ScopeSince, sinceOf } from './scopes-since'

export type ScopesSince = {
  isOn: boolean
  nameOf: (id: number) => string | undefined
  /** The number of drawn scopes that differ. */
  marks: number
  of: (id: number) => ScopeSince | undefined
  /** The scopes that came into a branch since. */
  newIn: (parent: number) => readonly ScopeTreeNode[]
  isNew: (id: number) => boolean
}

/** The drawn scopes of then, compared with those of now. */
export function useScopesSince(branches: readonly DrawnBranch[], hasNew: boolean): ScopesSince {
  const { isOn, client } = useComparing()
  const past = useQueryClient()
  const drawn = isOn ? branches : []
  const nodes = new Map(drawn.flatMap((branch) => branch.nodes.map((node) => [node.id, node] as const)))
  const { present } = usePresent({
    isOn,
    pages: drawn.flatMap((branch) => pagesOf(client, branch)),
    loaded: [...nodes.values()],
    one: ({ id }) => treeNode(id),
  })
  const came = new Map(hasNew ? drawn.map((branch) => [branch.parent, newIn(branch, present)]) : [])
  const arrived = [...came.values()].flat()
  const before = useNodes(
    arrived.flatMap(({ id }) => (nodes.has(id) ? [] : [id])),
    past,
  )
  const since = new Map<number, ScopeSince | undefined>([
    ...[...nodes].map(([id, then]) => [id, sinceOf(then, present.get(id))] as const),
    ...arrived.flatMap(({ id }) => (nodes.has(id) ? [] : [[id, arrivalOf(before.get(id))] as const])),
  ])
  const nameOf = useNames([...since.values()], new Map([...before, ...present, ...nodes]))
  return {
    isOn,
    nameOf,
    marks: [...since.values()].filter((one) => one && one.kind !== 'same').length,
    of: (id) => since.get(id),
    newIn: (parent) => (came.get(parent) ?? []).filter(({ id }) => since.get(id) && !nodes.has(id)),
    isNew: (id) => isOn && !nodes.has(id),
  }
}

/** The same pages of the branch, and where it is whole, those that have come since. */
function pagesOf(client: QueryClient, { parent, nodes, isWhole }: DrawnBranch) {
  const total = isWhole ? (client.getQueryData(treePage(parent, 0).queryKey)?.totalSize ?? 0) : 0
  const count = Math.max(1, Math.ceil(Math.max(nodes.length, total) / treePageSize))
  return Array.from({ length: count }, (_, page) => treePage(parent, page))
}

type Nodes = ReadonlyMap<number, Present<ScopeTreeNode>>

function useNodes(ids: readonly number[], client: QueryClient): Nodes {
  const reads = useQueries({ queries: ids.map((id) => ({ ...treeNode(id), retry: false })) }, client)
  return new Map(
    ids.flatMap((id, index): [number, Present<ScopeTreeNode>][] => {
      const { data, error } = reads[index] ?? {}
      if (data) return [[id, data]]
      return isGone(error) ? [[id, 'gone']] : []
    }),
  )
}

/** The names of the parents that moved scopes have or had. */
function useNames(since: readonly (ScopeSince | undefined)[], known: Nodes) {
  const { client } = useComparing()
  const parents = since.flatMap((one) => one?.parent ?? [])
  const others = useNodes(
    [...new Set(parents)].filter((id) => !known.has(id)),
    client,
  )
  return (id: number): string | undefined => {
    const node = known.get(id) ?? others.get(id)
    return node === 'gone' ? undefined : node?.name
  }
}

/** What has happened to a scope, in words; undefined: nothing to say. */
export function useSinceWords() {
  const say = useTranslations('layout.asOf.since')
  return ({ of, nameOf }: ScopesSince, id: number): string | undefined => {
    const since = of(id)
    if (since === undefined || since.kind === 'same') return undefined
    if (since.kind === 'changed')
      return since.below === undefined
        ? undefined
        : say('below', { before: since.below, now: since.now?.children ?? 0 })
    if (since.kind === 'removed' || since.kind === 'added') return say(since.kind)
    const name = since.parent === undefined ? say('top') : nameOf(since.parent)
    return say(since.kind, { parent: name ?? `#${since.parent}` })
  }
}
