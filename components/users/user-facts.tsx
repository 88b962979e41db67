import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { access } from '#components/screens/access'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useMay, useScreenOf } from '#components/session/session'
import { linkOf } from '#lib/http/view'
import type { UserDocument } from '#lib/identity/identity.schema'
import { localeName } from './locales'
import { activeState, fullName, lockState, passwordState } from './user-columns'

const signInKinds = ['LOCAL', 'OPENID', 'SAML'] as const

/** What is known of a user. */
export function UserFacts({ user }: { user: UserDocument }) {
  const say = useTranslations('users')
  const screenOf = useScreenOf()
  const locale = useLocale()
  const maySeeEvents = useMay(...access.events)
  const linked = (rel: string): ReactNode => {
    const link = linkOf(user, rel)
    const screen = screenOf(link)
    return screen ? <AppLink to={screen}>{link?.title ?? '–'}</AppLink> : (link?.title ?? '–')
  }
  const kind = signInKinds.find((known) => known === user.authType)
  return (
    <Container header={<Header variant="h2">{say('page.facts')}</Header>}>
      <KeyValuePairs
        columns={4}
        items={[
          { label: say('list.fullName'), value: fullName(user) },
          { label: say('list.email'), value: user.email || '–' },
          { label: say('list.enterprise'), value: linked('enterprise') },
          { label: say('list.role'), value: linked('role') },
          { label: say('list.active'), value: activeState(say, user) },
          { label: say('list.locked'), value: lockState(say, user) },
          { label: say('page.signIn'), value: kind ? say(`page.signInKinds.${kind}`) : user.authType },
          { label: say('list.password'), value: passwordState(say, user) },
          { label: say('list.language'), value: localeName(user.locale, locale) },
          { label: say('list.networks'), value: <Networks networks={user.allowedCIDRs} /> },
          { label: say('list.description'), value: user.description || '–' },
          ...(maySeeEvents
            ? [
                {
                  label: say('page.activity'),
                  value: <AppLink to={paths.events({ user: user.id })}>{say('page.showActivity')}</AppLink>,
                },
              ]
            : []),
          { label: say('list.id'), value: user.id },
        ]}
      />
    </Container>
  )
}

function Networks({ networks }: { networks: readonly string[] }) {
  const say = useTranslations('users.list')
  if (networks.length === 0) return say('everywhere')
  return (
    <SpaceBetween size="xxs">
      {networks.map((network) => (
        <Box key={network}>{network}</Box>
      ))}
    </SpaceBetween>
  )
}
