import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import { collectionQuery, pathKey, type Query, resourceQuery } from '#lib/client/resources.queries'
import type { Collection } from '#lib/http/view'
import type { ScopeDocument } from '#lib/scopes/scopes.schema'

/** What a picker shows of a thing. */
export type Named = { id: number; name: string }

/** Of a scope the list says whether it is limited. */
export type Found = Named & Partial<Pick<ScopeDocument, 'automaticAddDatacenter' | 'automaticAddEnterprise'>>

const paths = {
  enterprise: '/api/admin/enterprises',
  role: '/api/admin/roles',
  scope: '/api/admin/scopes',
} as const

/** The kinds of things that have a name of their own and a list that can be searched. */
export type NamedKind = keyof typeof paths

const pickerPage = 25

/** The first of them whose name contains `has`. */
export const namedListQuery = (kind: NamedKind, has: string, filter: Query = {}) =>
  collectionQuery<Found>(paths[kind], { ...filter, limit: pickerPage, by: 'name', has: has || undefined })

export const namedQuery = (kind: NamedKind, id: number) => resourceQuery<Found>(`${paths[kind]}/${id}`)

/** Those whose name contains `has`, page after page as the list of a picker is scrolled; `filter` narrows the list further. */
export const namedPickerQuery = (kind: NamedKind, has: string, filter: Query = {}) =>
  infiniteQueryOptions({
    queryKey: [...pathKey(paths[kind]), 'picker', has, filter],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      api<Collection<Found>>(paths[kind], {
        query: { ...filter, startwith: pageParam, limit: pickerPage, by: 'name', has: has || undefined },
        signal,
      }),
    getNextPageParam: ({ totalSize }, _, last) =>
      last + pickerPage < totalSize ? last + pickerPage : undefined,
  })
