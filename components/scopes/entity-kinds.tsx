import { useQueries } from '@tanstack/react-query'
import { useMay } from '#components/layout/session'
import type { Privilege } from '#lib/auth/privileges'
import { entityQuery } from '#lib/scopes/scopes.queries'
import type { ScopeEntityType } from '#lib/scopes/scopes.schema'

type EntityKind = { one: string; many: string; readers: Privilege[] }

/** What a scope can name; `readers` are the privileges that open the list of them (contract, section 5). */
export const entityKinds: Record<ScopeEntityType, EntityKind> = {
  ENTERPRISE: {
    one: 'Enterprise',
    many: 'enterprises',
    readers: ['ENTERPRISE_ENUMERATE', 'USERS_MANAGE_ENTERPRISE'],
  },
  DATACENTER: {
    one: 'Datacenter',
    many: 'datacenters',
    readers: ['PHYS_DC_ENUMERATE', 'VDC_MANAGE', 'USERS_MANAGE_ENTERPRISE', 'APPLIB_VIEW'],
  },
}

/** How many names are asked for at once: each is a request of its own. */
export const namesAtOnce = 25

/** The names of enterprises or datacenters; until one is here, or where it may not be read, its kind and id. */
export function useEntityNames(type: ScopeEntityType, ids: readonly number[]): string[] {
  const { one, readers } = entityKinds[type]
  const enabled = useMay(...readers)
  const answers = useQueries({ queries: ids.map((id) => ({ ...entityQuery(type, id), enabled })) })
  return ids.map((id, index) => answers[index]?.data?.document.name ?? `${one} ${id}`)
}
