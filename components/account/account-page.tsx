import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { ApplicationsCard } from '#components/applications/applications-card'
import { AuthorizationsCard } from '#components/applications/authorizations-card'
import { Page } from '#components/layout/page'
import { useFollow } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useSession } from '#components/session/session'
import { ProfileCard } from './profile-card'
import { SessionsCard } from './sessions-card'
import { TokensCard } from './tokens-card'
import { TwoFactorCard } from './two-factor-card'

export function Component() {
  const session = useSession()
  const say = useTranslations('account')
  return (
    <Page title={say('title')} description={say('about')}>
      <SpaceBetween size="l">
        <ProfileCard session={session} />
        {session.hasPassword ? <PasswordCard /> : <ProviderCard />}
        {session.hasPassword && <TwoFactorCard session={session} />}
        {session.provider === 'OPENID' && <TokensCard />}
        <SessionsCard />
        <AuthorizationsCard />
        <ApplicationsCard session={session} />
      </SpaceBetween>
    </Page>
  )
}

/** For who has no password here. */
function ProviderCard() {
  const say = useTranslations('account.providerCard')
  return (
    <Container header={<Header variant="h2">{say('title')}</Header>}>
      <Box variant="p">{say('text')}</Box>
    </Container>
  )
}

function PasswordCard() {
  const say = useTranslations('account.passwordCard')
  const follow = useFollow()
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            <Button href={paths.password()} onFollow={follow}>
              {say('change')}
            </Button>
          }
        >
          {say('title')}
        </Header>
      }
    >
      {say('text')}
    </Container>
  )
}
