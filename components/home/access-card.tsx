import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { access } from '#components/access'
import { AppLink } from '#components/layout/app-link'
import { useMay, useSession } from '#components/layout/session'
import { paths } from '#components/paths'
import type { SessionDocument } from '#lib/auth/session.schema'

/** What this user reaches: by the role and by the scope. */
export function AccessCard() {
  const { role, scope } = useSession()
  const mayOpenScope = useMay(...access.scope)
  return (
    <Container header={<Header variant="h2">Your access</Header>}>
      <KeyValuePairs
        items={[
          { label: 'Role', value: role.name },
          {
            label: 'Scope',
            value: mayOpenScope ? <AppLink to={paths.scope(scope.id)}>{scope.name}</AppLink> : scope.name,
          },
          { label: 'Opens to you', value: reachOf(scope) },
        ]}
      />
    </Container>
  )
}

function reachOf({ allDatacenters, allEnterprises }: SessionDocument['scope']): string {
  if (allDatacenters && allEnterprises) return 'All datacenters and all enterprises'
  if (allDatacenters) return 'All datacenters, and the enterprises of the scope'
  if (allEnterprises) return 'All enterprises, and the datacenters of the scope'
  return 'The datacenters and enterprises of the scope'
}
