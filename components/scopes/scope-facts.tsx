import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { AppLink } from '#components/layout/app-link'
import { paths } from '#components/paths'
import type { ScopeName } from '#lib/scopes/scopes.queries'
import type { ScopeDocument } from '#lib/scopes/scopes.schema'

const unlimitedIn = ({ automaticAddEnterprise, automaticAddDatacenter }: ScopeDocument): string =>
  [automaticAddEnterprise && 'enterprises', automaticAddDatacenter && 'datacenters']
    .filter(Boolean)
    .join(' and ')

/** What a scope is, at a glance. */
export function ScopeFacts({ scope, parent }: { scope: ScopeDocument; parent: ScopeName | undefined }) {
  return (
    <Container header={<Header variant="h2">Details</Header>}>
      <KeyValuePairs
        columns={3}
        items={[
          { label: 'Id', value: scope.id },
          {
            label: 'Parent scope',
            value: parent ? <AppLink to={paths.scope(parent.id)}>{parent.name}</AppLink> : 'None',
          },
          { label: 'Unlimited in', value: unlimitedIn(scope) || 'Nothing' },
        ]}
      />
    </Container>
  )
}
