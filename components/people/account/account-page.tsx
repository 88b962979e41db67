import { useLocale, useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { AppButton, AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { holds, useSession } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { Facts } from '#components/kit/facts'
import { Card, Stack } from '#components/kit/layout'
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
      <Stack gap="l">
        <ProfileCard session={session} />
        {session.hasPassword ? <PasswordCard /> : <ProviderCard />}
        {session.hasPassword && <TwoFactorCard session={session} />}
        {session.hasPassword && <PasskeysCard />}
        {session.provider === 'OPENID' && <TokensCard />}
        <SessionsCard />
        <OwnTokens />
        <AuthorizationsCard />
        <ApplicationsCard session={session} />
      </Stack>
    </Page>
  )
}

/** For users without a password here. */
function ProviderCard() {
  const say = useTranslations('account.providerCard')
  return (
    <Card title={say('title')}>
      <p>{say('text')}</p>
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
      <Facts
        columns={4}
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
  return text || <div className="quiet">{say('notGiven')}</div>
}

function Scope({ session }: { session: SessionDocument }) {
  const say = useTranslations('account.profile.sees')
  const { id, name } = session.scope
  const sees = unlimitedOf(session)
  return (
    <>
      {holds(session, access.scope) ? <AppLink to={paths.scope(id)}>{name}</AppLink> : name}
      {sees && <div className="small">{say(sees)}</div>}
    </>
  )
}

function unlimitedOf({ scope: { allEnterprises, allDatacenters } }: SessionDocument) {
  if (allEnterprises) return allDatacenters ? 'everything' : 'allEnterprises'
  return allDatacenters ? 'allDatacenters' : undefined
}
