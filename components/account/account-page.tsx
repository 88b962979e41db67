import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { ApplicationsCard } from '#components/applications/applications-card'
import { AuthorizationsCard } from '#components/applications/authorizations-card'
import { Page } from '#components/layout/page'
import { useSession } from '#components/layout/session'
import { PasswordCard } from './password-card'
import { profileFacts } from './profile-facts'
import { ProviderCard, TokensCard } from './provider-cards'
import { SessionsCard } from './sessions-card'
import { TwoFactorCard } from './two-factor-card'

export function Component() {
  const session = useSession()
  return (
    <Page title="My account" description="Who you are here, and how you sign in.">
      <SpaceBetween size="l">
        <Container header={<Header variant="h2">Profile</Header>}>
          <KeyValuePairs columns={4} minColumnWidth={200} items={profileFacts(session)} />
        </Container>
        {session.hasPassword ? (
          <>
            <PasswordCard />
            <TwoFactorCard session={session} />
          </>
        ) : (
          <ProviderCard />
        )}
        {session.provider === 'OPENID' && <TokensCard />}
        <SessionsCard />
        <AuthorizationsCard />
        <ApplicationsCard session={session} />
      </SpaceBetween>
    </Page>
  )
}
