import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { useTranslations } from 'use-intl'
import { access } from '#components/screens/access'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useMay, useSession } from '#components/session/session'
import type { SessionDocument } from '#lib/auth/session.schema'

/** What this user reaches: by the role and by the scope. */
export function AccessCard() {
  const { role, scope } = useSession()
  const say = useTranslations('home.access')
  const mayOpenScope = useMay(...access.scope)
  const mayOpenRole = useMay(...access.roles)
  return (
    <Container header={<Header variant="h2">{say('title')}</Header>}>
      <KeyValuePairs
        items={[
          {
            label: say('role'),
            value: mayOpenRole ? <AppLink to={paths.role(role.id)}>{role.name}</AppLink> : role.name,
          },
          {
            label: say('scope'),
            value: mayOpenScope ? <AppLink to={paths.scope(scope.id)}>{scope.name}</AppLink> : scope.name,
          },
          { label: say('reach'), value: say(`reaches.${reachOf(scope)}`) },
        ]}
      />
    </Container>
  )
}

function reachOf({ allDatacenters, allEnterprises }: SessionDocument['scope']) {
  if (allDatacenters && allEnterprises) return 'everything'
  if (allDatacenters) return 'allDatacenters'
  return allEnterprises ? 'allEnterprises' : 'scope'
}
