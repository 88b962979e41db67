import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import Table from '@cloudscape-design/components/table'
import { useQuery } from '@tanstack/react-query'
import { AppLink, useFollow } from '#components/layout/app-link'
import { Failure } from '#components/layout/failure'
import { paths } from '#components/paths'
import type { SessionDocument } from '#lib/auth/session.schema'
import { applicationsQuery } from '#lib/oauth/applications.queries'
import type { ApplicationDocument } from '#lib/oauth/applications.schema'

const columns = [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    cell: ({ id, name }: ApplicationDocument) => <AppLink to={paths.application(id)}>{name}</AppLink>,
  },
  {
    id: 'description',
    header: 'Description',
    cell: ({ description }: ApplicationDocument) => description || '–',
  },
  {
    id: 'key',
    header: 'Consumer key',
    cell: ({ apiKey }: ApplicationDocument) => <Box variant="code">{apiKey}</Box>,
  },
]

/** The user's own programs, which sign requests by OAuth 1.0a. */
export function ApplicationsCard({ session }: { session: SessionDocument }) {
  const list = useQuery(applicationsQuery(session))
  const follow = useFollow()
  if (list.isError) return <Failure error={list.error} retry={() => void list.refetch()} />
  const register = (
    <Button href={paths.newApplication()} onFollow={follow}>
      Register an application
    </Button>
  )
  return (
    <Table
      items={list.data?.collection ?? []}
      columnDefinitions={columns}
      loading={list.isPending}
      loadingText="Loading the applications"
      trackBy="apiKey"
      wrapLines
      ariaLabels={{ tableLabel: 'OAuth applications' }}
      empty={
        <Box textAlign="center" color="inherit">
          <Box variant="strong">No applications</Box>
          <Box variant="p">Register a program that is to act for users without their passwords.</Box>
        </Box>
      }
      header={
        <Header
          variant="h2"
          counter={list.data ? `(${list.data.totalSize})` : undefined}
          description="Programs of yours that act in the name of users who let them, by OAuth 1.0a."
          actions={register}
        >
          OAuth applications
        </Header>
      }
    />
  )
}
