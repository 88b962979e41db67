import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { ApplicationsCard } from '#components/applications/applications-card'
import { AuthorizationsCard } from '#components/applications/authorizations-card'
import { Card } from '#components/layout/card'
import { Page } from '#components/layout/page'
import { AppButton } from '#components/screens/app-link'
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

/** For users without a password here. */
function ProviderCard() {
  const say = useTranslations('account.providerCard')
  return (
    <Card title={say('title')}>
      <Box variant="p">{say('text')}</Box>
    </Card>
  )
}

function PasswordCard() {
  const say = useTranslations('account.passwordCard')
  return (
    <Card title={say('title')} actions={<AppButton to={paths.password()}>{say('change')}</AppButton>}>
      {say('text')}
    </Card>
  )
}
