import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { useTranslations } from 'use-intl'
import { access } from '#components/screens/access'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useMay } from '#components/session/session'
import type { Named } from '#lib/http/view'
import type { ScopeDocument, ScopeEntityType } from '#lib/scopes/scopes.schema'
import { useScopeDocument } from './use-scope-of'

type ScopeCardProps = {
  title: string
  /** Where the scope comes from. */
  origin: string
  scope: Named | undefined
}

/** A scope, and what one sees through it. */
export function ScopeCard({ title, origin, scope }: ScopeCardProps) {
  const say = useTranslations('users.scope')
  const mayRead = useMay(...access.scope)
  const document = useScopeDocument(scope)
  return (
    <Container
      fitHeight
      header={
        <Header variant="h2" description={origin}>
          {title}
        </Header>
      }
    >
      {scope ? (
        <KeyValuePairs
          columns={document ? 3 : 1}
          items={[
            {
              label: say('scope'),
              value: mayRead ? <AppLink to={paths.scope(scope.id)}>{scope.name}</AppLink> : scope.name,
            },
            ...(document
              ? [
                  { label: say('enterprises'), value: <Reach scope={document} type="ENTERPRISE" /> },
                  { label: say('datacenters'), value: <Reach scope={document} type="DATACENTER" /> },
                ]
              : []),
          ]}
        />
      ) : (
        <Box color="text-body-secondary">{say('hidden')}</Box>
      )}
    </Container>
  )
}

function Reach({ scope, type }: { scope: ScopeDocument; type: ScopeEntityType }) {
  const say = useTranslations('users.scope')
  const count = scope.scopeEntities.filter((entity) => entity.type === type).length
  if (type === 'ENTERPRISE')
    return scope.automaticAddEnterprise ? say('allEnterprises') : say('enterprisesCount', { count })
  return scope.automaticAddDatacenter ? say('allDatacenters') : say('datacentersCount', { count })
}
