import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, apiWithTag } from '#lib/client/api'
import { ifMatch, isAtOrBelow, pathKey, resourceQuery } from '#lib/client/resources.queries'
import { type Collection, type Named, namedBy } from '#lib/http/view'
import type { ScopeDocument, ScopeImpact, ScopeTreeNode } from '#lib/scopes/scopes.schema'

/** How many children of one scope, or hits of a search, the tree asks for at once. */
export const treePageSize = 100

/** A scope as PUT and POST take it; `id` only where it exists already. */
export type ScopeBody = {
  id?: number
  name: string
  automaticAddDatacenter: boolean
  automaticAddEnterprise: boolean
  scopeEntities: { idResource: number; type: 'ENTERPRISE' | 'DATACENTER' }[]
  links: { rel: string; href: string }[]
}

export const scopesPath = '/api/admin/scopes'
const treePath = `${scopesPath}/action/tree`
const branchPath = (parent: number): string => `${treePath}/${parent}`

export const scopeHref = (id: number): string => `${scopesPath}/${id}`

/** The links of a scope's document: its parent, or none at a root. */
export const parentLinks = (parent: number | undefined): ScopeBody['links'] =>
  parent === undefined ? [] : [{ rel: 'scopeParent', href: scopeHref(parent) }]

/** One page of the children of a scope; `parent` 0 stands for the visible roots. */
export const treePage = (parent: number, page: number) =>
  queryOptions({
    queryKey: [...pathKey(branchPath(parent)), page],
    queryFn: ({ signal }) =>
      api<Collection<ScopeTreeNode>>(treePath, {
        query: { parent: parent || undefined, startwith: page * treePageSize, limit: treePageSize },
        signal,
      }),
  })

/** What the tree is searched for: a text in the name, an enterprise that the scope opens, or both. */
export type TreeSearch = { has: string; enterprise: number | undefined }

export const isSearch = ({ has, enterprise }: TreeSearch): boolean => has !== '' || enterprise !== undefined

/** The hits of a search, some at a time, together with the way to each of them. */
export const treeSearch = ({ has, enterprise }: TreeSearch) =>
  infiniteQueryOptions({
    queryKey: [...pathKey(treePath), 'search', { has, enterprise }],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      api<Collection<ScopeTreeNode>>(treePath, {
        query: { has: has || undefined, enterprise, startwith: pageParam, limit: treePageSize },
        signal,
      }),
    getNextPageParam: ({ totalSize }, _, last) =>
      last + treePageSize < totalSize ? last + treePageSize : undefined,
    enabled: isSearch({ has, enterprise }),
  })

export const scopeQuery = (id: number) => resourceQuery<ScopeDocument>(scopeHref(id))

export const parentOf = (scope: ScopeDocument): Named | undefined => namedBy(scope, 'scopeParent')

/** The visible scopes above this one, the topmost first. Ends at a scope seen before, should a tree ever hold a cycle. */
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

export const createScope = (body: ScopeBody): Promise<ScopeDocument> =>
  api(scopesPath, { method: 'POST', body })

export const updateScope = (id: number, body: ScopeBody, etag: string | undefined): Promise<ScopeDocument> =>
  api(scopeHref(id), { method: 'PUT', body, headers: ifMatch(etag) })

/** What a change to this document, or without one the deletion, would do. Nothing is written. */
const askImpact = (id: number, body: ScopeBody | undefined, signal: AbortSignal): Promise<ScopeImpact> =>
  api(`${scopeHref(id)}/action/impact`, { method: 'POST', body, signal })

// Not below the scope's own path: the change itself, once made, asks it no more.
const impactKey = (...of: unknown[]) => ['scope-impact', ...of]

/** Read again when the user comes back from putting right what refused it. */
export const impactQuery = (id: number, body?: ScopeBody) =>
  queryOptions({
    queryKey: impactKey(id, body ?? 'removal'),
    queryFn: ({ signal }) => askImpact(id, body, signal),
    staleTime: 0,
    gcTime: 0,
  })

/** The scope below another parent, all else as it is. */
const movedBody = (scope: ScopeDocument, parent: number | undefined): ScopeBody => ({
  id: scope.id,
  name: scope.name,
  automaticAddDatacenter: scope.automaticAddDatacenter,
  automaticAddEnterprise: scope.automaticAddEnterprise,
  scopeEntities: scope.scopeEntities.map(({ idResource, type }) => ({ idResource, type })),
  links: parentLinks(parent),
})

/** The move of a scope as it is at this moment: the document to send, its version, and what it would do. */
export const moveQuery = (id: number, parent: number | undefined) =>
  queryOptions({
    queryKey: impactKey(id, 'move', parent ?? 'top'),
    queryFn: async ({ signal }) => {
      const { document, etag } = await apiWithTag<ScopeDocument>(scopeHref(id), { signal })
      const body = movedBody(document, parent)
      return { body, etag, impact: await askImpact(id, body, signal) }
    },
    staleTime: 0,
    gcTime: 0,
  })

export const removeScope = (id: number): Promise<void> => api(scopeHref(id), { method: 'DELETE' })

/** After any change of a scope: whatever shows scopes asks again. */
export const scopesChanged = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: pathKey(scopesPath) })

/** What shows the scope that is gone is about to be left: it must not ask for it again, and comes back only as stale. */
export async function scopeRemoved(client: QueryClient, id: number): Promise<void> {
  const isGone = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    isAtOrBelow(queryKey, scopeHref(id)) || isAtOrBelow(queryKey, branchPath(id))
  await client.invalidateQueries({ predicate: isGone, refetchType: 'none' })
  await client.invalidateQueries({
    queryKey: pathKey(scopesPath),
    predicate: (query) => !isGone(query),
  })
}
