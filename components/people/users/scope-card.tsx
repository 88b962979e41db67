import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useMay, useSession } from '#components/base/session/session'
import { FactsOf } from '#components/frame/layout/facts'
import { Facts } from '#components/kit/facts'
import { Card } from '#components/kit/layout'
import { kinds } from '#lib/caller/kinds/kinds'
import { scopeQuery } from '#lib/caller/scopes/scopes.queries'
import type { ScopeDocument, ScopeEntityType } from '#lib/caller/scopes/scopes.schema'
import { type Named, namedBy } from '#lib/ground/http/view'
import { enterpriseQuery } from '#lib/people/identity/enterprises.queries'
import type { UserDocument } from '#lib/people/identity/identity.schema'

/** The default scope of an enterprise, if the caller may see it. */
export function useDefaultScope(enterprise: number | undefined): Named | undefined {
  const mayRead = useMay(...kinds.enterprise.readers)
  const isOwn = useSession().enterprise.id === enterprise
  const read = useQuery({
    ...enterpriseQuery(enterprise ?? 0),
    enabled: enterprise !== undefined && (mayRead || isOwn),
  })
  return read.data && namedBy(read.data.document, 'scope')
}

/** The document of a scope, if the caller may read scopes. */
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

type ScopeCardProps = {
  title: string
  /** Where the scope comes from. */
  origin: string
  scope: Named | undefined
}

/** A scope with its enterprises and datacenters. */
export function ScopeCard({ title, origin, scope }: ScopeCardProps) {
  const say = useTranslations('users.scope')
  const label = useTranslations('labels')
  const mayRead = useMay(...access.scope)
  const document = useScopeDocument(scope)
  return (
    <Card title={title} about={origin} fill>
      {document ? (
        <FactsOf
          of={document}
          columns={3}
          items={(shown) => [
            { label: label('scope'), value: <AppLink to={paths.scope(shown.id)}>{shown.name}</AppLink> },
            { label: say('enterprises'), value: <Visibility scope={shown} type="ENTERPRISE" /> },
            { label: label('datacenters'), value: <Visibility scope={shown} type="DATACENTER" /> },
          ]}
        />
      ) : scope ? (
        <Facts
          items={[
            {
              label: label('scope'),
              value: mayRead ? <AppLink to={paths.scope(scope.id)}>{scope.name}</AppLink> : scope.name,
            },
          ]}
        />
      ) : (
        <div className="quiet">{say('hidden')}</div>
      )}
    </Card>
  )
}

function Visibility({ scope, type }: { scope: ScopeDocument; type: ScopeEntityType }) {
  const say = useTranslations('users.scope')
  const count = scope.scopeEntities.filter((entity) => entity.type === type).length
  if (type === 'ENTERPRISE')
    return scope.automaticAddEnterprise ? say('allEnterprises') : say('enterprisesCount', { count })
  return scope.automaticAddDatacenter ? say('allDatacenters') : say('datacentersCount', { count })
}
