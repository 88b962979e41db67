import Container from '@cloudscape-design/components/container'
import Grid from '@cloudscape-design/components/grid'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { access } from '#components/screens/access'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useMay } from '#components/session/session'
import { ScopeCard } from '#components/users/scope-card'
import { namedBy } from '#lib/http/view'
import type { EnterpriseDocument } from '#lib/identity/identity.schema'
import { usersQuery } from '#lib/identity/users.queries'

/** What holds for an enterprise and its users. */
export function EnterpriseOverview({ enterprise }: { enterprise: EnterpriseDocument }) {
  const say = useTranslations('enterprises.page')
  const { id, twoFactorAuthenticationMandatory: isMandatory } = enterprise
  const maySeeUsers = useMay(...access.users)
  const users = useQuery({ ...usersQuery(id, { limit: 1 }), enabled: maySeeUsers })
  const count = users.data?.totalSize
  return (
    <Grid gridDefinition={[{ colspan: { default: 12, m: 5 } }, { colspan: { default: 12, m: 7 } }]}>
      <Container fitHeight header={<Header variant="h2">{say('facts')}</Header>}>
        <KeyValuePairs
          columns={2}
          items={[
            { label: say('twoFactor'), value: say(isMandatory ? 'twoFactorOn' : 'twoFactorOff') },
            ...(maySeeUsers
              ? [
                  {
                    label: say('users'),
                    value: (
                      <AppLink to={paths.enterprise(id, 'users')}>
                        {count === undefined ? say('users') : say('usersCount', { count })}
                      </AppLink>
                    ),
                  },
                ]
              : []),
            { label: say('id'), value: id },
          ]}
        />
      </Container>
      <ScopeCard title={say('scopeTitle')} origin={say('scopeAbout')} scope={namedBy(enterprise, 'scope')} />
    </Grid>
  )
}
