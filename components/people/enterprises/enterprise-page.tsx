import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Confirm } from '#components/base/forms/confirm'
import { Waiting } from '#components/base/forms/failure'
import { useId } from '#components/base/forms/ids'
import { LeaveGuard } from '#components/base/forms/leave-guard'
import { access } from '#components/base/screens/access'
import { AppButton, AppLink } from '#components/base/screens/app-link'
import { useIsPast } from '#components/base/screens/as-of'
import { paths } from '#components/base/screens/paths'
import { useMay } from '#components/base/session/session'
import { EventsOf } from '#components/events/events-of'
import { FactsOf } from '#components/frame/layout/facts'
import { Page } from '#components/frame/layout/page'
import { Button } from '#components/kit/button'
import { Card, Columns, Row } from '#components/kit/layout'
import { ScopeCard } from '#components/people/users/scope-card'
import { UsersTable } from '#components/people/users/users-page'
import { useNoteFacts } from '#components/table/notes'
import { TableTabs } from '#components/table/table-tabs'
import { namedBy } from '#lib/ground/http/view'
import { enterpriseQuery, useRemoveEnterprise } from '#lib/people/identity/enterprises.queries'
import type { EnterpriseDocument } from '#lib/people/identity/identity.schema'
import { usersQuery } from '#lib/people/identity/users.queries'
import { fieldFacts, useEnterpriseFields } from './enterprise-fields'
import { PropertiesTab } from './properties-tab'
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
      {document ? <Content key={id} enterprise={document} /> : <Waiting read={read} />}
    </Page>
  )
}

function Actions({ enterprise: { id } }: { enterprise: EnterpriseDocument }) {
  const sayCommon = useTranslations('common')
  const navigate = useNavigate()
  const [isRemoving, setRemoving] = useState(false)
  if (!useMay(...access.manageEnterprises)) return null
  return (
    <Row>
      <Button onPress={() => setRemoving(true)}>{sayCommon('delete')}</Button>
      <AppButton data-key="e" look="main" to={paths.editEnterprise(id)}>
        {sayCommon('edit')}
      </AppButton>
      {isRemoving && (
        <RemoveEnterprise
          id={id}
          onClose={() => setRemoving(false)}
          onRemoved={() => void navigate(paths.enterprises())}
        />
      )}
    </Row>
  )
}

function Content({ enterprise }: { enterprise: EnterpriseDocument }) {
  const say = useTranslations('enterprises.page')
  const label = useTranslations('labels')
  const { id, name } = enterprise
  const [search] = useSearchParams()
  const isPast = useIsPast()
  const properties = useProperties(id, search.get('tab') === 'properties' && !isPast)
  const maySeeUsers = useMay(...access.users)
  return (
    <>
      <TableTabs
        label={say('tabs', { enterprise: name })}
        tabs={[
          { id: 'overview', label: say('overview'), content: <Overview enterprise={enterprise} /> },
          {
            id: 'users',
            content: <UsersTable enterprise={id} title={label('users')} />,
            missing: !maySeeUsers && 'USERS_VIEW',
          },
          { id: 'properties', content: <PropertiesTab enterprise={name} form={properties} />, isNow: true },
          { id: 'events', content: <EventsOf entity="enterprise" entityid={id} /> },
        ]}
      />
      <LeaveGuard loses={() => properties.isChanged} />
    </>
  )
}

function Overview({ enterprise }: { enterprise: EnterpriseDocument }) {
  const say = useTranslations('enterprises.page')
  const label = useTranslations('labels')
  const { ofNotes } = useNoteFacts(paths.enterprises())
  const { id } = enterprise
  const fields = useEnterpriseFields()
  const maySeeUsers = useMay(...access.users)
  const users = useQuery({ ...usersQuery(id, { limit: 1 }), enabled: maySeeUsers })
  const count = users.data?.totalSize
  return (
    <Columns count={2}>
      <Card title={label('facts')} fill>
        <FactsOf
          of={enterprise}
          columns={2}
          items={(document) => [
            ...fieldFacts(fields, document),
            ...(maySeeUsers
              ? [
                  {
                    label: label('users'),
                    value: (
                      <AppLink to={paths.enterprise(id, 'users')}>
                        {count === undefined ? label('users') : label('userCount', { count })}
                      </AppLink>
                    ),
                  },
                ]
              : []),
            ...ofNotes(document),
            { label: label('id'), value: id },
          ]}
        />
      </Card>
      <ScopeCard title={say('scopeTitle')} origin={say('scopeAbout')} scope={namedBy(enterprise, 'scope')} />
    </Columns>
  )
}

type RemoveEnterpriseProps = { id: number; onClose: () => void; onRemoved: () => void }

function RemoveEnterprise({ id, onClose, onRemoved }: RemoveEnterpriseProps) {
  const say = useTranslations('enterprises.remove')
  const maySeeUsers = useMay(...access.users)
  const read = useQuery(enterpriseQuery(id))
  const enterprise = read.data?.document.name ?? ''
  return (
    <Confirm
      title={say('title')}
      typed={enterprise}
      read={read}
      mutation={useRemoveEnterprise()}
      done={() => say('done', { enterprise })}
      advice={{
        'ENTERPRISE-5': (
          <>
            {say('inUse')}{' '}
            {maySeeUsers && <AppLink to={paths.enterprise(id, 'users')}>{say('showUsers')}</AppLink>}
          </>
        ),
      }}
      onDone={onRemoved}
      onCancel={onClose}
    >
      {say.rich('about', { enterprise, b: (inside) => <strong>{inside}</strong> })}
    </Confirm>
  )
}
