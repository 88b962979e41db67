import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useLocale, useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { useId } from '#components/base/forms/ids'
import { access } from '#components/base/screens/access'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay } from '#components/base/session/session'
import { EventsOf } from '#components/events/events-of'
import { FactsOf } from '#components/frame/layout/facts'
import { Page } from '#components/frame/layout/page'
import { Card, Columns, Stack } from '#components/kit/layout'
import { TokensOfUser } from '#components/people/access-tokens/tokens-table'
import { ApplicationsOfUser } from '#components/people/applications/applications-card'
import { Ends } from '#components/table/ends'
import { useNoteFacts } from '#components/table/notes'
import { TableTabs } from '#components/table/table-tabs'
import type { Tagged } from '#lib/client/resources.queries'
import { linkOf, namedBy } from '#lib/ground/http/view'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { isService, userQuery } from '#lib/people/identity/users.queries'
import { AccessTab } from './access-tab'
import { InvitationNotice } from './invitation'
import { localeName } from './locales'
import { MachinesTable } from './machines-table'
import { ScopeCard, useScopeOf } from './scope-card'
import { SeeAsButton } from './see-as'
import { TwoFactorCard } from './two-factor-card'
import { type UserRefusals, useUserRefusals } from './use-user-refusals'
import { UserActions, type UserDialog, UserDialogs } from './user-actions'
import { activeState, fullName, lockState, passwordState } from './user-columns'

export function Component() {
  const say = useTranslations('users')
  const enterprise = useId('enterprise')
  const id = useId('user')
  const read = useQuery(userQuery(enterprise, id))
  if (read.data) return <Detail key={id} {...read.data} />
  return (
    <Page
      title={say('page.unknown', { id: String(id) })}
      breadcrumbs={[{ text: say('list.title'), href: paths.users() }]}
    >
      <Waiting read={read} />
    </Page>
  )
}

function Detail({ document: user, etag }: Tagged<UserDocument>) {
  const say = useTranslations('users')
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<UserDialog>()
  const refusals = useUserRefusals(user)
  const { scope, isOwn } = useScopeOf(user)
  const mayManage = useMay(...access.manageUsers)
  return (
    <Page
      title={user.nick}
      description={fullName(user)}
      breadcrumbs={[{ text: say('list.title'), href: paths.users() }]}
      actions={
        <>
          <SeeAsButton user={user} />
          <UserActions user={user} refusals={refusals} onAsk={setDialog} />
        </>
      }
    >
      <Stack gap="l">
        {user.invited && <InvitationNotice user={user} refusal={refusals.change} mayManage={mayManage} />}
        <UserFacts user={user} />
        <Columns count={2}>
          <ScopeCard
            title={say('scope.title')}
            origin={say(isOwn ? 'scope.own' : 'scope.byDefault')}
            scope={scope}
          />
          {isService(user) ? (
            <ServiceCard />
          ) : (
            <TwoFactorCard
              user={user}
              refusal={refusals.reset}
              missing={refusals.missing}
              onReset={() => setDialog('reset')}
            />
          )}
        </Columns>
        <UserTabs user={user} refusals={refusals} />
      </Stack>
      <UserDialogs
        dialog={dialog}
        user={user}
        etag={etag}
        onClose={() => setDialog(undefined)}
        onRemoved={() => void navigate(paths.users())}
      />
    </Page>
  )
}

/** In place of two factor. */
function ServiceCard() {
  const say = useTranslations('users.service')
  return (
    <Card title={say('title')} fill>
      <div className="quiet">{say('about')}</div>
    </Card>
  )
}

function UserTabs({ user, refusals }: { user: UserDocument; refusals: UserRefusals }) {
  const say = useTranslations('users.page')
  const sayTokens = useTranslations('accessTokens')
  const label = useTranslations('labels')
  const owner = { id: user.id, enterprise: namedBy(user, 'enterprise') ?? { id: 0, name: '' } }
  const sayAccess = useTranslations('access.user')
  const mayAsk = useMay(...access.askAccess)
  const maySeeMachines = useMay('VDC_ENUMERATE', 'VDC_MANAGE_VAPP')
  const mayManage = useMay(...access.manageUsers)
  const maySeeApplications = useMay('USERS_MANAGE_APPLICATIONS')
  return (
    <TableTabs
      label={say('tabs', { nick: user.nick })}
      tabs={[
        { id: 'events', content: <EventsOf entity="user" entityid={user.id} /> },
        {
          id: 'access',
          label: sayAccess('tab'),
          content: <AccessTab user={user} />,
          isNow: true,
          missing: !mayAsk && 'USERS_VIEW',
        },
        {
          id: 'machines',
          label: label('virtualMachines'),
          content: <MachinesTable user={user} />,
          missing: !maySeeMachines && 'VDC_ENUMERATE',
        },
        {
          id: 'tokens',
          label: sayTokens('title'),
          content: (
            <TokensOfUser
              owner={{ id: user.id, enterprise: owner.enterprise.id }}
              isService={isService(user)}
              mayCreate={refusals.change === undefined && user.active && !user.locked}
            />
          ),
          missing: !mayManage && 'USERS_MANAGE_USERS',
          isNow: true,
        },
        {
          id: 'applications',
          label: say('applications'),
          content: <ApplicationsOfUser owner={owner} />,
          missing: !maySeeApplications && 'USERS_MANAGE_APPLICATIONS',
          isNow: true,
        },
      ]}
    />
  )
}

const signInKinds = ['LOCAL', 'OPENID', 'SAML', 'SERVICE'] as const

function UserFacts({ user }: { user: UserDocument }) {
  const say = useTranslations('users')
  const label = useTranslations('labels')
  const { ofTags } = useNoteFacts(paths.users())
  const locale = useLocale()
  const maySeeEvents = useMay(...access.events)
  const signInText = ({ authType }: UserDocument) => {
    const kind = signInKinds.find((known) => known === authType)
    return kind ? say(`page.signInKinds.${kind}`) : authType
  }
  return (
    <Card title={label('facts')}>
      <FactsOf
        of={user}
        columns={4}
        items={(document) => [
          { label: say('list.fullName'), value: fullName(document) },
          { label: label('email'), value: document.email || '–' },
          { label: label('enterprise'), value: <ScreenLink link={linkOf(document, 'enterprise')} /> },
          { label: label('role'), value: <ScreenLink link={linkOf(document, 'role')} /> },
          { label: say('list.active'), value: activeState(say, document) },
          { label: say('list.locked'), value: lockState(say, document) },
          { label: say('page.signIn'), value: signInText(document) },
          { label: label('password'), value: passwordState(say, document) },
          { label: label('language'), value: localeName(document.locale, locale) },
          { label: say('list.networks'), value: <Networks networks={document.allowedCIDRs} /> },
          { label: say('list.ends'), value: <Ends ends={document.ends} /> },
          { label: label('description'), value: document.description || '–' },
          ...(maySeeEvents
            ? [
                {
                  label: say('page.activity'),
                  value: (
                    <AppLink to={paths.events({ user: document.id })}>{say('page.showActivity')}</AppLink>
                  ),
                },
              ]
            : []),
          ofTags(document),
          { label: label('id'), value: document.id },
        ]}
      />
    </Card>
  )
}

function Networks({ networks }: { networks: readonly string[] }) {
  const say = useTranslations('users.list')
  if (networks.length === 0) return say('everywhere')
  return (
    <Stack gap="xs">
      {networks.map((network) => (
        <div key={network}>{network}</div>
      ))}
    </Stack>
  )
}
