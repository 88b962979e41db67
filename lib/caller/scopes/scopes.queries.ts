import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { collectionOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import type {
  ScopeDocument,
  ScopeEntityType,
  ScopeImpact,
  ScopeTreeNode,
  scopeFields,
} from '#lib/caller/scopes/scopes.schema'
import { api, apiWithTag } from '#lib/client/api'
import type { Once } from '#lib/client/once'
import {
  collectionQuery,
  isAtOrBelow,
  pathKey,
  type Query,
  resourceQuery,
  saveResource,
  type Tagged,
  useSave,
} from '#lib/client/resources.queries'
import type { Values } from '#lib/ground/http/fields.schema'
import { type Collection, type Named, namedBy } from '#lib/ground/http/view'

/** Page size for the children of one scope and for the hits of a search. */
export const treePageSize = 100

/** The body of POST and PUT. `id` is missing for a new scope. */
export type ScopeBody = Values<typeof scopeFields> & {
  id?: number
  scopeEntities: { idResource: number; type: 'ENTERPRISE' | 'DATACENTER' }[]
  links: { rel: string; href: string }[]
}

export const scopesPath = `/api${collectionOf(kinds.scope)}`
const treePath = `${scopesPath}/action/tree`
const branchPath = (parent: number): string => `${treePath}/${parent}`

export const scopeHref = (id: number): string => `${scopesPath}/${id}`

/** The parent link of a scope's document. A root has none. */
const parentLinks = (parent: number | undefined): ScopeBody['links'] =>
  parent === undefined ? [] : [{ rel: 'scopeParent', href: scopeHref(parent) }]

/** One page of the children of a scope. `parent` 0 means the visible roots. */
export const treePage = (parent: number, page: number) =>
  queryOptions({
    queryKey: [...pathKey(branchPath(parent)), page] as readonly unknown[],
    queryFn: ({ signal, meta }) =>
      api<Collection<ScopeTreeNode>>(treePath, {
        query: { parent: parent || undefined, startwith: page * treePageSize, limit: treePageSize },
        signal,
        meta,
      }),
  })

/** One scope with the figures of a tree node. */
export const treeNode = (scope: number) =>
  queryOptions({
    queryKey: [...pathKey(branchPath(scope)), 'node'] as readonly unknown[],
    queryFn: async ({ signal, meta }) =>
      (await api<Collection<ScopeTreeNode>>(treePath, { query: { scope }, signal, meta })).collection[0],
  })

/** Filters of the tree: a text in the name, an enterprise in the scope, since when the scope changed, and a tag of it. */
export type TreeSearch = {
  has: string
  enterprise: number | undefined
  changed: string | undefined
  tag: string | undefined
}

export const isSearch = ({ has, ...filters }: TreeSearch): boolean =>
  has !== '' || Object.values(filters).some((filter) => filter !== undefined)

/** One page of the hits of a search, with their visible ancestors. */
export const treeSearch = ({ has, ...filters }: TreeSearch) =>
  infiniteQueryOptions({
    queryKey: [...pathKey(treePath), 'search', { has, ...filters }],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal, meta }) =>
      api<Collection<ScopeTreeNode>>(treePath, {
        query: {
          has: has || undefined,
          ...filters,
          startwith: pageParam,
          limit: treePageSize,
        },
        signal,
        meta,
      }),
    getNextPageParam: ({ totalSize }, _, last) =>
      last + treePageSize < totalSize ? last + treePageSize : undefined,
    enabled: isSearch({ has, ...filters }),
  })

/** One page of all visible scopes. */
export const scopesQuery = (query?: Query) => collectionQuery<ScopeDocument>(scopesPath, query)

export const scopeQuery = (id: number) => resourceQuery<ScopeDocument>(scopeHref(id))

export const entitiesOf = (scope: ScopeDocument, type: ScopeEntityType): number[] =>
  scope.scopeEntities.filter((entity) => entity.type === type).map(({ idResource }) => idResource)

/** The oldest scopes that contain an enterprise. */
export const scopesOfEnterpriseQuery = (enterprise: number) =>
  scopesQuery({ enterprise, by: 'id', limit: 25 })

/** Whether a scope is limited, and contains this enterprise and no other. */
export function isOnlyOf(scope: ScopeDocument, enterprise: number): boolean {
  const enterprises = entitiesOf(scope, 'ENTERPRISE')
  const isLimited = !scope.automaticAddEnterprise && !scope.automaticAddDatacenter
  return isLimited && enterprises.length === 1 && enterprises[0] === enterprise
}

export const parentOf = (scope: ScopeDocument): Named | undefined => namedBy(scope, 'scopeParent')

/** The visible ancestors of a scope, the topmost first. Stops at a cycle. */
export const scopeAncestors = (scope: ScopeDocument) =>
  queryOptions({
    queryKey: [...pathKey(scopeHref(scope.id)), 'ancestors', parentOf(scope)?.id],
    queryFn: async ({ client }) => {
      const way: Named[] = []
      let above = parentOf(scope)
      while (above && !way.some(({ id }) => id === above?.id)) {
        way.unshift(above)
        above = parentOf((await client.query({ ...scopeQuery(above.id), staleTime: 30_000 })).document)
      }
      return way
    },
  })

/** The tree nodes of a scope and its visible ancestors, the topmost first. */
export const scopeWay = (scope: number) =>
  queryOptions({
    queryKey: [...pathKey(scopeHref(scope)), 'way'],
    queryFn: async ({ client }) => {
      const { document } = await client.query(scopeQuery(scope))
      const above = await client.query(scopeAncestors(document))
      const nodes = await Promise.all([...above, { id: scope }].map(({ id }) => client.query(treeNode(id))))
      return nodes.flatMap((node) => node ?? [])
    },
  })

type Save = { body: ScopeBody; current?: Tagged<ScopeDocument> | undefined }

/** Creates a scope, or replaces `current`. */
export const saveScope = (save: Save, once: Once): Promise<ScopeDocument> =>
  saveResource(scopesPath, save, once)

/** The fields of a scope, with its enterprises and datacenters by their ids. */
export type SentScope = Values<typeof scopeFields> & {
  scopeParent: number | undefined
  enterprises: readonly number[]
  datacenters: readonly number[]
}

/** An unlimited scope has no parent, but keeps its enterprises and datacenters for when it is limited again. */
export function scopeBody(
  { scopeParent, enterprises, datacenters, ...fields }: SentScope,
  current?: ScopeDocument,
): ScopeBody {
  const isUnlimited = fields.automaticAddDatacenter || fields.automaticAddEnterprise
  return {
    ...(current && { id: current.id }),
    ...fields,
    scopeEntities: [
      ...enterprises.map((idResource) => ({ idResource, type: 'ENTERPRISE' as const })),
      ...datacenters.map((idResource) => ({ idResource, type: 'DATACENTER' as const })),
    ],
    links: parentLinks(isUnlimited ? undefined : scopeParent),
  }
}

export const useSaveScope = () => useSave(scopesPath, scopeBody, (client) => scopesChanged(client))

/** Previews a change to this document, or the deletion if there is none. Writes nothing. */
const askImpact = (id: number, body: ScopeBody | undefined, signal: AbortSignal): Promise<ScopeImpact> =>
  api(`${scopeHref(id)}/action/impact`, { method: 'POST', body, signal, once: false })

// The key is not below the scope's own path, so the change itself does not invalidate the preview.
const impactKey = (...of: unknown[]) => ['scope-impact', ...of]

/** Always stale, because users return after they have removed a blocker. */
export const impactQuery = (id: number, body?: ScopeBody) =>
  queryOptions({
    queryKey: impactKey(id, body ?? 'removal'),
    queryFn: ({ signal }) => askImpact(id, body, signal),
    staleTime: 0,
    gcTime: 0,
  })

/** The body that moves a scope below another parent and changes nothing else. */
const movedBody = (scope: ScopeDocument, parent: number | undefined): ScopeBody => ({
  ...scope,
  scopeEntities: scope.scopeEntities.map(({ idResource, type }) => ({ idResource, type })),
  links: parentLinks(parent),
})

/** Prepares the move of the current version of a scope: the body, that version and the impact. */
export const moveQuery = (id: number, parent: number | undefined) =>
  queryOptions({
    queryKey: impactKey(id, 'move', parent ?? 'top'),
    queryFn: async ({ signal }) => {
      const current = await apiWithTag<ScopeDocument>(scopeHref(id), { signal, meta: undefined })
      const body = movedBody(current.document, parent)
      return { body, current, impact: await askImpact(id, body, signal) }
    },
    staleTime: 0,
    gcTime: 0,
  })

export const removeScope = (id: number): Promise<void> => api(scopeHref(id), { method: 'DELETE' })

/** Invalidates everything that shows scopes. */
export const scopesChanged = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: pathKey(scopesPath) })

/** A screen that still shows the removed scope is about to close. Its queries become stale but are not read again. */
export async function scopeRemoved(client: QueryClient, id: number): Promise<void> {
  const isGone = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    isAtOrBelow(queryKey, scopeHref(id)) || isAtOrBelow(queryKey, branchPath(id))
  await client.invalidateQueries({ predicate: isGone, refetchType: 'none' })
  await client.invalidateQueries({
    queryKey: pathKey(scopesPath),
    predicate: (query) => !isGone(query),
  })
}
