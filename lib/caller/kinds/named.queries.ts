import { collectionOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { collectionQuery, pickerQuery, type Query, resourceQuery } from '#lib/client/resources.queries'
import type { Named } from '#lib/ground/http/view'

/** An item of a picker. Only scopes say whether they are unlimited. */
export type Found = Named & { automaticAddDatacenter?: boolean; automaticAddEnterprise?: boolean }

const paths = {
  enterprise: `/api${collectionOf(kinds.enterprise)}`,
  datacenter: `/api${collectionOf(kinds.datacenter)}`,
  role: `/api${collectionOf(kinds.role)}`,
  scope: `/api${collectionOf(kinds.scope)}`,
} as const

/** The kinds of resources that have a name and a searchable list. */
export type NamedKind = keyof typeof paths

/** The first resources whose name contains `has`. */
export const namedListQuery = (kind: NamedKind, has: string) =>
  collectionQuery<Found>(paths[kind], { limit: 25, by: 'name', has: has || undefined })

export const namedQuery = (kind: NamedKind, id: number) => resourceQuery<Found>(`${paths[kind]}/${id}`)

export const namedPickerQuery = (kind: NamedKind, has: string, filter?: Query) =>
  pickerQuery<Found>(paths[kind], has, filter)
