import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { EventsOf } from '#components/events/events-of'
import { Failure } from '#components/forms/failure'
import { useId } from '#components/forms/ids'
import { LeaveGuard } from '#components/forms/leave-guard'
import { useNeeds } from '#components/forms/reasons'
import { Page } from '#components/layout/page'
import { access } from '#components/screens/access'
import { useFollow } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useMay } from '#components/session/session'
import { TableTabs } from '#components/table/table-tabs'
import { UsersTable } from '#components/users/users-page'
import { enterpriseQuery } from '#lib/identity/enterprises.queries'
import type { EnterpriseDocument } from '#lib/identity/identity.schema'
import { EnterpriseOverview } from './enterprise-overview'
import { PropertiesTab } from './properties-tab'
import { RemoveEnterprise } from './remove-enterprise'
import { useProperties } from './use-properties'

export function Component() {
  const say = useTranslations('enterprises')
  const id = useId('enterprise')
  const read = useQuery(enterpriseQuery(id))
  const document = read.data?.document
  return (
    <Page
      title={document?.name ?? say('page.unknown', { id: String(id) })}
      breadcrumbs={[{ text: say('list.title'), href: paths.enterprises() }]}
      actions={document && <Actions enterprise={document} />}
    >
      {document && <Content key={id} enterprise={document} />}
      {!document && read.isError && <Failure error={read.error} retry={() => void read.refetch()} />}
      {read.isPending && <Spinner size="large" />}
    </Page>
  )
}

function Actions({ enterprise: { id } }: { enterprise: EnterpriseDocument }) {
  const sayCommon = useTranslations('common')
  const navigate = useNavigate()
  const follow = useFollow()
  const [isRemoving, setRemoving] = useState(false)
  if (!useMay(...access.manageEnterprises)) return null
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button onClick={() => setRemoving(true)}>{sayCommon('delete')}</Button>
      <Button variant="primary" href={paths.editEnterprise(id)} onFollow={follow}>
        {sayCommon('edit')}
      </Button>
      {isRemoving && (
        <RemoveEnterprise
          id={id}
          onClose={() => setRemoving(false)}
          onRemoved={() => void navigate(paths.enterprises())}
        />
      )}
    </SpaceBetween>
  )
}

function Content({ enterprise }: { enterprise: EnterpriseDocument }) {
  const say = useTranslations('enterprises.page')
  const needs = useNeeds()
  const { id, name } = enterprise
  const [search] = useSearchParams()
  const properties = useProperties(id, search.get('tab') === 'properties')
  const maySeeUsers = useMay(...access.users)
  return (
    <>
      <TableTabs
        label={say('tabs', { enterprise: name })}
        tabs={[
          { id: 'overview', label: say('overview'), content: <EnterpriseOverview enterprise={enterprise} /> },
          {
            id: 'users',
            label: say('users'),
            content: <UsersTable enterprise={id} title={say('users')} />,
            ...(!maySeeUsers && { disabled: true, disabledReason: needs('USERS_VIEW') }),
          },
          {
            id: 'properties',
            label: say('properties'),
            content: <PropertiesTab enterprise={name} form={properties} />,
          },
          { id: 'events', label: say('events'), content: <EventsOf entity="enterprise" entityid={id} /> },
        ]}
      />
      <LeaveGuard loses={() => properties.isChanged} />
    </>
  )
}
