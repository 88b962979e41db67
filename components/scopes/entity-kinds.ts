import { useQueries } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useMay } from '#components/session/session'
import type { Privilege } from '#lib/auth/privileges'
import { readers } from '#lib/auth/readers'
import { entityQuery } from '#lib/scopes/scopes.queries'
import type { ScopeEntityType } from '#lib/scopes/scopes.schema'

/** What a scope can name; `readers` are the privileges that open the list of them. */
export const entityKinds: Record<ScopeEntityType, { readers: readonly Privilege[] }> = {
  ENTERPRISE: { readers: readers.enterprise },
  DATACENTER: { readers: readers.datacenter },
}

/** How many names are asked for at once: each is a request of its own. */
export const namesAtOnce = 12

/** The names of enterprises or datacenters; until one is here, or where it may not be read, its kind and id. */
export function useEntityNames(type: ScopeEntityType, ids: readonly number[]): string[] {
  const say = useTranslations('scopes.kinds')
  const enabled = useMay(...entityKinds[type].readers)
  const answers = useQueries({ queries: ids.map((id) => ({ ...entityQuery(type, id), enabled })) })
  return ids.map((id, index) => answers[index]?.data?.document.name ?? say(`${type}.one`, { id: String(id) }))
}
