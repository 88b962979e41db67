import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Collection } from '#lib/ground/http/view'
import { type ApiOptions, api, apiWithTag } from './api'
import { type Once, useOnce } from './once'

export type Query = NonNullable<ApiOptions['query']>

/** Keys mirror the URL tree, so that invalidating a path also invalidates everything below it. */
export const pathKey = (path: string): string[] => path.split('/').filter(Boolean)

export const isAtOrBelow = (key: readonly unknown[], path: string): boolean =>
  pathKey(path).every((segment, index) => key[index] === segment)

/**
 * One page of a collection. The previous page of the same collection stays until it is loaded. Shown rows do not move: the table announces
 * newer ones. `keptAt`: the path under which the cache keeps it.
 */
export const collectionQuery = <T>(path: string, query: Query = {}, keptAt = path) =>
  queryOptions({
    queryKey: [...pathKey(keptAt), query] as readonly unknown[],
    queryFn: ({ signal, meta }) => api<Collection<T>>(path, { query, signal, meta }),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    placeholderData: (before, beforeQuery) =>
      beforeQuery?.queryKey.length === pathKey(keptAt).length + 1 && isAtOrBelow(beforeQuery.queryKey, keptAt)
        ? before
        : undefined,
  })

const PICKER_PAGE = 25

/** The resources whose name contains `has`, one page after the other as a picker is scrolled. `filter` narrows the list further. */
export const pickerQuery = <T>(path: string, has: string, filter: Query = {}) =>
  infiniteQueryOptions({
    queryKey: [...pathKey(path), 'picker', has, filter] as readonly unknown[],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal, meta }) =>
      api<Collection<T>>(path, {
        query: { by: 'name', ...filter, startwith: pageParam, limit: PICKER_PAGE, has: has || undefined },
        signal,
        meta,
      }),
    getNextPageParam: ({ totalSize }, _, last) =>
      last + PICKER_PAGE < totalSize ? last + PICKER_PAGE : undefined,
  })

/**
 * One resource with the ETag that its next PUT or DELETE sends. The request is not aborted on unmount, so that a component
 * mounted a moment later finds the response.
 */
export const resourceQuery = <T>(path: string) =>
  queryOptions({
    queryKey: pathKey(path) as readonly unknown[],
    queryFn: ({ meta }) => apiWithTag<T>(path, { meta }),
  })

export type Tagged<T> = { document: T; etag: string | undefined }

/**
 * The resource that a form changes, always read again: the cache may be older than the user's own last change, and a save
 * with its ETag would be refused. While it is on the screen it is asked for again, so that the form learns of others' changes.
 */
export function useFresh<T>(query: ReturnType<typeof resourceQuery<T>>) {
  const read = useQuery({
    ...query,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
    refetchInterval: 30_000,
  })
  return read.isFetchedAfterMount ? read : { ...read, data: undefined }
}

/** The precondition of a write: the resource has not changed since it was read. */
export const ifMatch = (etag: string | undefined): Record<string, string> =>
  etag ? { 'If-Match': etag } : {}

/** Replaces `current`, or creates a resource in the collection. */
export const saveResource = <T extends { id: number }>(
  collection: string,
  { body, current }: { body: unknown; current?: Tagged<T> | undefined },
  once: Once,
): Promise<T> =>
  current
    ? api<T>(`${collection}/${current.document.id}`, { method: 'PUT', body, headers: ifMatch(current.etag) })
    : api<T>(collection, { method: 'POST', body, once })

export const deleteResource = (
  collection: string,
  { document, etag }: Tagged<{ id: number }>,
): Promise<void> => api(`${collection}/${document.id}`, { method: 'DELETE', headers: ifMatch(etag) })

/** Invalidates all queries at or below these paths, except those of the deleted resource at `gone`. */
export const invalidateBelow = (
  client: QueryClient,
  paths: readonly string[],
  gone?: string,
): Promise<void> =>
  client.invalidateQueries({
    predicate: ({ queryKey }) =>
      paths.some((path) => isAtOrBelow(queryKey, path)) &&
      (gone === undefined || !isAtOrBelow(queryKey, gone)),
  })

/** A change that is done once the queries that show it are invalidated. Its POSTs take the keys `once` of the component. */
export function useChange<Sent, Result>(
  change: (sent: Sent, once: Once) => Promise<Result>,
  changed: (client: QueryClient, sent: Sent, result: Result) => Promise<void>,
) {
  const client = useQueryClient()
  const once = useOnce()
  return useMutation({
    mutationFn: (sent: Sent) => change(sent, once),
    onSuccess: (result, sent) => changed(client, sent, result),
  })
}

/** Invalidates all queries that show the resources of a collection. `gone`: the path of a removed resource, which is not read again. */
type Changed = (client: QueryClient, gone?: string) => Promise<void>

/** Creates a resource from a draft, or replaces `current`. */
export const useSave = <Draft, T extends { id: number }>(
  collection: string,
  bodyOf: (draft: Draft, current?: T) => unknown,
  changed: Changed,
) =>
  useChange(
    ({ draft, current }: { draft: Draft; current?: Tagged<T> }, once) =>
      saveResource(collection, { body: bodyOf(draft, current?.document), current }, once),
    (client) => changed(client),
  )

export const useRemove = <T extends { id: number }>(collection: string, changed: Changed) =>
  useChange(
    (resource: Tagged<T>) => deleteResource(collection, resource),
    (client, { document }) => changed(client, `${collection}/${document.id}`),
  )
