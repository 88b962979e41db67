import Box from '@cloudscape-design/components/box'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useLocale, useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { AppButton, AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { holds, useSession } from '#components/base/session/session'
import { Card } from '#components/frame/layout/card'
import { Page } from '#components/frame/layout/page'
import { OwnTokens } from '#components/people/access-tokens/tokens-table'
import { ApplicationsCard } from '#components/people/applications/applications-card'
import { AuthorizationsCard } from '#components/people/applications/authorizations-card'
import { localeName } from '#components/people/users/locales'
import type { SessionDocument } from '#lib/caller/auth/session.schema'
import { PasskeysCard } from './passkeys-card'
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
        {session.hasPassword && <PasskeysCard />}
        {session.provider === 'OPENID' && <TokensCard />}
        <SessionsCard />
        <OwnTokens />
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
  const label = useTranslations('labels')
  return (
    <Card title={label('password')} actions={<AppButton to={paths.password()}>{say('change')}</AppButton>}>
      {say('text')}
    </Card>
  )
}

function ProfileCard({ session }: { session: SessionDocument }) {
  const say = useTranslations('account.profile')
  const label = useTranslations('labels')
  const reader = useLocale()
  return (
    <Card
      title={say('title')}
      actions={
        <AppButton data-key="e" to={paths.profile()}>
          {say('edit')}
        </AppButton>
      }
    >
      <KeyValuePairs
        columns={4}
        minColumnWidth={200}
        items={[
          { label: label('nick'), value: session.nick },
          {
            label: label('name'),
            value: <OrNothing text={`${session.name} ${session.surname}`.trim()} />,
          },
          { label: label('email'), value: <OrNothing text={session.email} /> },
          { label: label('language'), value: <OrNothing text={localeName(session.locale, reader)} /> },
          { label: label('enterprise'), value: session.enterprise.name },
          { label: label('role'), value: session.role.name },
          { label: label('scope'), value: <Scope session={session} /> },
        ]}
      />
    </Card>
  )
}

function OrNothing({ text }: { text: string }) {
  const say = useTranslations('account.profile')
  return text || <Box color="text-body-secondary">{say('notGiven')}</Box>
}

function Scope({ session }: { session: SessionDocument }) {
  const say = useTranslations('account.profile.sees')
  const { id, name } = session.scope
  const sees = unlimitedOf(session)
  return (
    <>
      {holds(session, access.scope) ? <AppLink to={paths.scope(id)}>{name}</AppLink> : name}
      {sees && (
        <Box variant="small" display="block">
          {say(sees)}
        </Box>
      )}
    </>
  )
}

function unlimitedOf({ scope: { allEnterprises, allDatacenters } }: SessionDocument) {
  if (allEnterprises) return allDatacenters ? 'everything' : 'allEnterprises'
  return allDatacenters ? 'allDatacenters' : undefined
}
