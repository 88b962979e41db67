import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import Table, { type TableProps } from '@cloudscape-design/components/table'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { ConfirmDelete } from '#components/forms/confirm-delete'
import { Failure } from '#components/forms/failure'
import { useFlash } from '#components/forms/flash'
import { NothingYet } from '#components/table/table-states'
import { applicationsQuery, removeApplication } from '#lib/applications/applications.queries'
import type { ApplicationDocument } from '#lib/applications/applications.schema'
import type { UserDocument } from '#lib/identity/identity.schema'
import { enterpriseOfUser } from '#lib/identity/users.queries'
import type { Say } from '#lib/words/words'

type Owner = Parameters<typeof applicationsQuery>[0]

const ownerOf = (user: UserDocument): Owner => ({
  id: user.id,
  enterprise: { id: enterpriseOfUser(user) ?? 0, name: '' },
})

/** The programs that a user has registered. */
export function UserApplications({ user }: { user: UserDocument }) {
  const say = useTranslations('users.applications')
  const format = useFormatter()
  const owner = ownerOf(user)
  const list = useQuery(applicationsQuery(owner))
  const [removing, setRemoving] = useState<ApplicationDocument>()
  if (list.isError) return <Failure error={list.error} retry={() => void list.refetch()} />
  return (
    <>
      <Table
        items={list.data?.collection ?? []}
        columnDefinitions={columns(say, setRemoving)}
        loading={list.isPending}
        loadingText={say('loading')}
        trackBy="apiKey"
        wrapLines
        ariaLabels={{ tableLabel: say('title') }}
        empty={<NothingYet title={say('empty')} hint={say('emptyHint')} />}
        header={
          <Header
            variant="h2"
            description={say('about')}
            {...(list.data && { counter: `(${format.number(list.data.totalSize)})` })}
          >
            {say('title')}
          </Header>
        }
      />
      {removing && (
        <RemoveApplication owner={owner} application={removing} onClose={() => setRemoving(undefined)} />
      )}
    </>
  )
}

const columns = (
  say: Say<'users.applications'>,
  onRemove: (application: ApplicationDocument) => void,
): TableProps.ColumnDefinition<ApplicationDocument>[] => [
  { id: 'name', header: say('name'), isRowHeader: true, cell: ({ name }) => name },
  { id: 'description', header: say('description'), cell: ({ description }) => description || '–' },
  { id: 'key', header: say('key'), cell: ({ apiKey }) => <Box variant="code">{apiKey}</Box> },
  {
    id: 'actions',
    header: say('actions'),
    minWidth: 100,
    cell: (application) => (
      <Button
        variant="inline-icon"
        iconName="remove"
        ariaLabel={say('remove', { name: application.name })}
        onClick={() => onRemove(application)}
      />
    ),
  },
]

type RemoveProps = { owner: Owner; application: ApplicationDocument; onClose: () => void }

function RemoveApplication({ owner, application: { id, name }, onClose }: RemoveProps) {
  const say = useTranslations('users.applications')
  const notify = useFlash()
  const remove = useMutation(removeApplication(owner, id))
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        notify({ type: 'success', content: say('removed', { name }) })
        onClose()
      },
    })
  return (
    <ConfirmDelete
      title={say('removeTitle')}
      typed={name}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {say.rich('removeText', { name, b: (inside) => <Box variant="strong">{inside}</Box> })}
    </ConfirmDelete>
  )
}
