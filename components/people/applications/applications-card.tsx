import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { AppButton, AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { Card, Stack } from '#components/kit/layout'
import { screenIcons } from '#components/kit/screen-icons'
import { type SimpleColumn, SimpleTable } from '#components/kit/simple-table'
import { Tool } from '#components/kit/tool'
import { NothingYet } from '#components/table/table-states'
import type { SessionDocument } from '#lib/caller/auth/session.schema'
import type { Collection } from '#lib/ground/http/view'
import { applicationsQuery, type Owner } from '#lib/people/applications/applications.queries'
import type { ApplicationDocument } from '#lib/people/applications/applications.schema'
import { RemoveApplication } from './application-dialogs'
import { ExposedSecrets } from './exposed-secret'

type Column = SimpleColumn<ApplicationDocument>

/** The user's own applications, each linked to its page. */
export function ApplicationsCard({ session }: { session: SessionDocument }) {
  const say = useTranslations('applications.list')
  const label = useTranslations('labels')
  const list = useQuery(applicationsQuery(session))
  if (list.isError) return <Failure error={list.error} retry={() => void list.refetch()} />
  return (
    <Stack>
      <ExposedSecrets applications={list.data?.collection ?? []} />
      <ApplicationsTable
        list={list}
        about={say('about')}
        emptyHint={say('emptyHint')}
        nameCell={({ id, name }) => <AppLink to={paths.application(id)}>{name}</AppLink>}
        actions={<AppButton to={paths.newApplication()}>{label('createApplication')}</AppButton>}
      />
    </Stack>
  )
}

/** The applications of another user, which an administrator can delete. */
export function ApplicationsOfUser({ owner }: { owner: Owner }) {
  const say = useTranslations('users.applications')
  const label = useTranslations('labels')
  const list = useQuery(applicationsQuery(owner))
  const [removing, setRemoving] = useState<ApplicationDocument>()
  const close = () => setRemoving(undefined)
  if (list.isError) return <Failure error={list.error} retry={() => void list.refetch()} />
  const removeColumn: Column = {
    id: 'actions',
    header: label('actions'),
    minWidth: 100,
    cell: (application) => (
      <Tool
        look="quiet"
        icon={screenIcons.remove}
        label={say('remove', { name: application.name })}
        onPress={() => setRemoving(application)}
      />
    ),
  }
  return (
    <>
      <ApplicationsTable
        list={list}
        about={say('about')}
        emptyHint={say('emptyHint')}
        nameCell={({ name }) => name}
        lastColumn={removeColumn}
      />
      {removing && (
        <RemoveApplication owner={owner} application={removing} onRemoved={close} onClose={close} />
      )}
    </>
  )
}

type ApplicationsTableProps = {
  list: UseQueryResult<Collection<ApplicationDocument>>
  about: string
  emptyHint: string
  nameCell: Column['cell']
  lastColumn?: Column
  actions?: ReactNode
}

function ApplicationsTable({
  list,
  about,
  emptyHint,
  nameCell,
  lastColumn,
  actions,
}: ApplicationsTableProps) {
  const say = useTranslations('applications.list')
  const label = useTranslations('labels')
  const none = useTranslations('common')('none')
  const format = useFormatter()
  return (
    <Card
      title={say('title')}
      level={2}
      about={about}
      actions={actions}
      counter={list.data ? `(${format.number(list.data.totalSize)})` : undefined}
    >
      <SimpleTable
        label={say('title')}
        rows={list.data?.collection ?? []}
        columns={[
          { id: 'name', header: label('name'), isRowHeader: true, cell: nameCell },
          { id: 'description', header: label('description'), cell: ({ description }) => description || none },
          { id: 'key', header: label('consumerKey'), cell: ({ apiKey }) => <code>{apiKey}</code> },
          ...(lastColumn ? [lastColumn] : []),
        ]}
        keyOf={({ apiKey }) => apiKey}
        loading={list.isPending ? say('loading') : undefined}
        empty={<NothingYet title={say('empty')} hint={emptyHint} />}
      />
    </Card>
  )
}
