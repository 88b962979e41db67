import { collectionOf, type Ids } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { collectionQuery, pickerQuery, type Query, resourceQuery } from '#lib/client/resources.queries'
import type { Named } from '#lib/ground/http/view'

/** An item of a picker. Only scopes have a flag for unlimited. */
export type Found = Named & { automaticAddDatacenter?: boolean; automaticAddEnterprise?: boolean }

/** The kinds of resources that have a name, and a searchable list of their own. */
export type NamedKind = {
  [Name in keyof typeof kinds]: (typeof kinds)[Name] extends { path: `/admin/${string}s/{id}`; found: object }
    ? Ids<(typeof kinds)[Name]['path']> extends 'id'
      ? Name
      : never
    : never
}[keyof typeof kinds]

const listOf = (kind: NamedKind): string => `/api${collectionOf(kinds[kind])}`

/** The first resources whose name contains `has`. */
export const namedListQuery = (kind: NamedKind, has: string) =>
  collectionQuery<Found>(listOf(kind), { limit: 25, by: 'name', has: has || undefined })

export const namedQuery = (kind: NamedKind, id: number) => resourceQuery<Found>(`${listOf(kind)}/${id}`)

export const namedPickerQuery = (kind: NamedKind, has: string, filter?: Query) =>
  pickerQuery<Found>(listOf(kind), has, filter)
