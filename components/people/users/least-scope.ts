import { useQuery } from '@tanstack/react-query'
import { useMayPick } from '#components/base/session/session'
import { isOnlyOf, scopesOfEnterpriseQuery } from '#lib/caller/scopes/scopes.queries'
import type { Named } from '#lib/ground/http/view'
import { useDefaultScope } from './scope-card'

/**
 * The scope that an invited user begins with: the default scope of their enterprise, unless it sees all enterprises. Then it is the oldest
 * one that contains only their enterprise; if there is none, the server makes it (docs/api/users.md, "Invitations").
 */
export function useLeastScope(enterprise: Named | undefined) {
  const mayPick = useMayPick('scope')
  const byDefault = useDefaultScope(enterprise?.id)
  const scopes = useQuery({
    ...scopesOfEnterpriseQuery(enterprise?.id ?? 0),
    enabled: mayPick && enterprise !== undefined,
  })
  const { collection = [] } = scopes.data ?? {}
  const isWide = collection.some(
    ({ id, automaticAddEnterprise }) => id === byDefault?.id && automaticAddEnterprise,
  )
  const least = isWide ? collection.find((scope) => isOnlyOf(scope, enterprise?.id ?? 0)) : undefined
  return {
    scopes,
    byDefault,
    isWide,
    least: least && { id: least.id, name: least.name },
  }
}
