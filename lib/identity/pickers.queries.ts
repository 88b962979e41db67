import { collectionQuery, pickerQuery, type Query, resourceQuery } from '#lib/client/resources.queries'
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

/** The first of them whose name contains `has`. */
export const namedListQuery = (kind: NamedKind, has: string, filter: Query = {}) =>
  collectionQuery<Found>(paths[kind], { ...filter, limit: 25, by: 'name', has: has || undefined })

export const namedQuery = (kind: NamedKind, id: number) => resourceQuery<Found>(`${paths[kind]}/${id}`)

export const namedPickerQuery = (kind: NamedKind, has: string, filter?: Query) =>
  pickerQuery<Found>(paths[kind], has, filter)
