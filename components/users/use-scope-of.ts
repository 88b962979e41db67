import { useQuery } from '@tanstack/react-query'
import { access } from '#components/screens/access'
import { useMay, useSession } from '#components/session/session'
import { readers } from '#lib/auth/readers'
import { type Named, namedBy } from '#lib/http/view'
import { enterpriseQuery } from '#lib/identity/enterprises.queries'
import type { UserDocument } from '#lib/identity/identity.schema'
import { scopeQuery } from '#lib/scopes/scopes.queries'
import type { ScopeDocument } from '#lib/scopes/scopes.schema'

/** The default scope of an enterprise, where the user may know it. */
export function useDefaultScope(enterprise: number | undefined): Named | undefined {
  const mayRead = useMay(...readers.enterprise)
  const isOwn = useSession().enterprise.id === enterprise
  const read = useQuery({
    ...enterpriseQuery(enterprise ?? 0),
    enabled: enterprise !== undefined && (mayRead || isOwn),
  })
  return read.data && namedBy(read.data.document, 'scope')
}

/** A scope as a whole, where the user may read scopes. */
export function useScopeDocument(scope: Named | undefined): ScopeDocument | undefined {
  const mayRead = useMay(...access.scope)
  const read = useQuery({ ...scopeQuery(scope?.id ?? 0), enabled: scope !== undefined && mayRead })
  return read.data?.document
}

/** The scope that applies to a user: their own, or the default scope of their enterprise. */
export function useScopeOf(user: UserDocument): { scope: Named | undefined; isOwn: boolean } {
  const own = namedBy(user, 'scope')
  const byDefault = useDefaultScope(own ? undefined : namedBy(user, 'enterprise')?.id)
  return { scope: own ?? byDefault, isOwn: own !== undefined }
}
