import Grid from '@cloudscape-design/components/grid'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { EventsOf } from '#components/events/events-of'
import { Failure } from '#components/forms/failure'
import { useId } from '#components/forms/ids'
import { useNeeds } from '#components/forms/reasons'
import { Page } from '#components/layout/page'
import { paths } from '#components/screens/paths'
import { useMay } from '#components/session/session'
import { TableTabs } from '#components/table/table-tabs'
import type { Tagged } from '#lib/client/resources.queries'
import type { UserDocument } from '#lib/identity/identity.schema'
import { userQuery } from '#lib/identity/users.queries'
import { MachinesTable } from './machines-table'
import { ScopeCard } from './scope-card'
import { TwoFactorCard } from './two-factor-card'
import { useScopeOf } from './use-scope-of'
import { useUserRefusals } from './use-user-refusals'
import { UserActions } from './user-actions'
import { UserApplications } from './user-applications'
import { fullName } from './user-columns'
import { RemoveUser, ResetTwoFactor, ShutUser, type UserDialog } from './user-dialogs'
import { UserFacts } from './user-facts'

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
      {read.isError ? (
        <Failure error={read.error} retry={() => void read.refetch()} />
      ) : (
        <Spinner size="large" />
      )}
    </Page>
  )
}

function Detail({ document: user, etag }: Tagged<UserDocument>) {
  const say = useTranslations('users')
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<UserDialog>()
  const refusals = useUserRefusals(user)
  const { scope, isOwn } = useScopeOf(user)
  const close = () => setDialog(undefined)
  return (
    <Page
      title={user.nick}
      description={fullName(user)}
      breadcrumbs={[{ text: say('list.title'), href: paths.users() }]}
      actions={<UserActions user={user} refusals={refusals} onAsk={setDialog} />}
    >
      <SpaceBetween size="l">
        <UserFacts user={user} />
        <Grid gridDefinition={[{ colspan: { default: 12, m: 8 } }, { colspan: { default: 12, m: 4 } }]}>
          <ScopeCard
            title={say('scope.title')}
            origin={say(isOwn ? 'scope.own' : 'scope.byDefault')}
            scope={scope}
          />
          <TwoFactorCard user={user} refusal={refusals.reset} onReset={() => setDialog('reset')} />
        </Grid>
        <UserTabs user={user} />
      </SpaceBetween>
      {(dialog === 'disable' || dialog === 'lock') && <ShutUser user={user} kind={dialog} onClose={close} />}
      {dialog === 'reset' && <ResetTwoFactor user={user} onClose={close} />}
      {dialog === 'remove' && (
        <RemoveUser user={user} etag={etag} onClose={close} onRemoved={() => void navigate(paths.users())} />
      )}
    </Page>
  )
}

function UserTabs({ user }: { user: UserDocument }) {
  const say = useTranslations('users.page')
  const needs = useNeeds()
  const maySeeMachines = useMay('VDC_ENUMERATE', 'VDC_MANAGE_VAPP')
  const maySeeApplications = useMay('USERS_MANAGE_APPLICATIONS')
  const closed = (privilege: Parameters<typeof needs>[0]) => ({
    disabled: true,
    disabledReason: needs(privilege),
  })
  return (
    <TableTabs
      label={say('tabs', { nick: user.nick })}
      tabs={[
        {
          id: 'events',
          label: say('events'),
          content: <EventsOf entity="user" entityid={user.id} />,
        },
        {
          id: 'machines',
          label: say('machines'),
          content: <MachinesTable user={user} />,
          ...(!maySeeMachines && closed('VDC_ENUMERATE')),
        },
        {
          id: 'applications',
          label: say('applications'),
          content: <UserApplications user={user} />,
          ...(!maySeeApplications && closed('USERS_MANAGE_APPLICATIONS')),
        },
      ]}
    />
  )
}
