import Button from '@cloudscape-design/components/button'
import { useMutation, useQuery } from '@tanstack/react-query'
import { FailureText } from '#components/layout/failure'
import { useFlash } from '#components/layout/flash'
import { ServerTable } from '#components/layout/server-table'
import type { TableColumn } from '#components/layout/table-columns'
import { useTableState } from '#components/layout/use-table-state'
import { authorizationsQuery, revokeAuthorization } from '#lib/oauth/applications.queries'
import type { AuthorizationDocument } from '#lib/oauth/applications.schema'
import { exactTime, timeAgo } from '../account/moments'

type Row = AuthorizationDocument

type Columns = { now: Date; revoking: number | undefined; onRevoke: (row: Row) => void }

const columnsOf = ({ now, revoking, onRevoke }: Columns): TableColumn<Row>[] => [
  {
    id: 'application',
    header: 'Application',
    isRowHeader: true,
    width: 220,
    cell: ({ application }) => application,
  },
  { id: 'owner', header: 'Registered by', width: 180, cell: ({ owner }) => owner },
  {
    id: 'since',
    header: 'Since',
    by: 'since',
    width: 200,
    cell: ({ since }) => <time dateTime={since}>{exactTime(new Date(since))}</time>,
  },
  {
    id: 'lastUse',
    header: 'Last use',
    width: 160,
    cell: ({ lastUse }) =>
      lastUse ? (
        <time dateTime={lastUse} title={exactTime(new Date(lastUse))}>
          {timeAgo(new Date(lastUse), now)}
        </time>
      ) : (
        'Never'
      ),
  },
  {
    id: 'revoke',
    header: 'Actions',
    width: 110,
    cell: (row) => (
      <Button
        variant="inline-link"
        ariaLabel={`Revoke ${row.application}, since ${exactTime(new Date(row.since))}`}
        loading={revoking === row.id}
        loadingText="Revoking"
        onClick={() => onRevoke(row)}
      >
        Revoke
      </Button>
    ),
  },
]

/** The programs that may act in the user's name. */
export function AuthorizationsCard() {
  const table = useTableState({
    name: 'authorizations',
    prefix: 'authorizations',
    by: 'since',
    asc: false,
    size: 10,
    orders: ['since'],
  })
  const list = useQuery(authorizationsQuery(table.query))
  const notify = useFlash()
  const revoking = useMutation(revokeAuthorization())
  const revoke = (row: Row) =>
    revoking.mutate(row, {
      onSuccess: () =>
        notify({ type: 'success', content: `${row.application} may act in your name no more.` }),
      onError: (error) =>
        notify({
          type: 'error',
          header: `${row.application} was not revoked`,
          content: <FailureText error={error} />,
        }),
    })
  return (
    <ServerTable
      title="Authorized applications"
      description="Programs that you have let act in your name. They go on until you revoke it."
      table={table}
      list={list}
      columns={columnsOf({
        now: new Date(list.dataUpdatedAt),
        revoking: revoking.isPending ? revoking.variables.id : undefined,
        onRevoke: revoke,
      })}
      empty={{ title: 'No authorized applications', hint: 'No program may act in your name.' }}
    />
  )
}
