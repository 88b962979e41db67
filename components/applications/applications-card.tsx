import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table, { type TableProps } from '@cloudscape-design/components/table'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { Failure } from '#components/forms/failure'
import { AppLink, useFollow } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { NothingYet } from '#components/table/table-states'
import { applicationsQuery } from '#lib/applications/applications.queries'
import type { ApplicationDocument } from '#lib/applications/applications.schema'
import type { SessionDocument } from '#lib/auth/session.schema'
import type { Say } from '#lib/words/words'
import { ExposedSecrets } from './exposed-secret'

const columnsOf = (
  say: Say<'applications.list'>,
  none: string,
): TableProps.ColumnDefinition<ApplicationDocument>[] => [
  {
    id: 'name',
    header: say('name'),
    isRowHeader: true,
    cell: ({ id, name }) => <AppLink to={paths.application(id)}>{name}</AppLink>,
  },
  { id: 'description', header: say('description'), cell: ({ description }) => description || none },
  { id: 'key', header: say('key'), cell: ({ apiKey }) => <Box variant="code">{apiKey}</Box> },
]

/** The user's own programs, which sign requests by OAuth 1.0a. */
export function ApplicationsCard({ session }: { session: SessionDocument }) {
  const say = useTranslations('applications.list')
  const sayCommon = useTranslations('common')
  const format = useFormatter()
  const list = useQuery(applicationsQuery(session))
  const follow = useFollow()
  if (list.isError) return <Failure error={list.error} retry={() => void list.refetch()} />
  return (
    <SpaceBetween size="m">
      <ExposedSecrets applications={list.data?.collection ?? []} />
      <Table
        items={list.data?.collection ?? []}
        columnDefinitions={columnsOf(say, sayCommon('none'))}
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
            actions={
              <Button href={paths.newApplication()} onFollow={follow}>
                {say('register')}
              </Button>
            }
          >
            {say('title')}
          </Header>
        }
      />
    </SpaceBetween>
  )
}
