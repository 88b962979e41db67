import { useMutation } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { useAction } from '#components/base/forms/use-action'
import { ExactTime, exactTime, TimeAgo } from '#components/base/screens/moments'
import { Button } from '#components/kit/button'
import { ServerTable } from '#components/table/server-table'
import type { TableColumn } from '#components/table/table-columns'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { authorizationsQuery, revokeAuthorization } from '#lib/people/applications/applications.queries'
import type { AuthorizationDocument } from '#lib/people/applications/applications.schema'
import type { Say } from '#lib/words/words'

type RevokeProps = { revoking: number | undefined; onRevoke: (row: AuthorizationDocument) => void }

const columnsOf = (
  say: Say<'applications.authorized'>,
  { now, ...revoke }: RevokeProps & { now: Date },
): TableColumn<AuthorizationDocument>[] => [
  {
    id: 'application',
    header: say('application'),
    isRowHeader: true,
    cell: ({ application }) => application,
  },
  { id: 'owner', header: say('owner'), cell: ({ owner }) => owner },
  {
    id: 'since',
    header: say('since'),
    by: 'since',
    cell: ({ since }) => <ExactTime at={since} />,
  },
  {
    id: 'lastUse',
    header: say('lastUse'),
    cell: ({ lastUse }) => (lastUse ? <TimeAgo at={lastUse} now={now} /> : say('never')),
  },
  { id: 'revoke', header: say('actions'), cell: (row) => <Revoke row={row} {...revoke} /> },
]

function Revoke({ row, revoking, onRevoke }: RevokeProps & { row: AuthorizationDocument }) {
  const say = useTranslations('applications.authorized')
  const format = useFormatter()
  return (
    <Button
      look="link"
      label={say('revokeThis', {
        application: row.application,
        since: exactTime(format, row.since),
      })}
      busy={revoking === row.id}
      busyText={say('revoking')}
      onPress={() => onRevoke(row)}
    >
      {say('revoke')}
    </Button>
  )
}

/** The programs that may act in the user's name. */
export function AuthorizationsCard() {
  const say = useTranslations('applications.authorized')
  const table = useTableState({
    name: 'authorizations',
    prefix: 'authorizations',
    by: 'since',
    asc: false,
    orders: ['since'],
  })
  const list = useList(table, (startwith) => authorizationsQuery({ ...table.query, startwith }))
  const revoking = useMutation(revokeAuthorization())
  const revoke = useAction(revoking, {
    done: (_, { application }) => say('revoked', { application }),
    failed: ({ application }) => say('notRevoked', { application }),
  })
  return (
    <ServerTable
      title={say('title')}
      description={say('about')}
      table={table}
      list={list}
      columns={columnsOf(say, {
        now: new Date(list.dataUpdatedAt),
        revoking: revoking.isPending ? revoking.variables.id : undefined,
        onRevoke: revoke,
      })}
      empty={{ title: say('empty'), hint: say('emptyHint') }}
    />
  )
}
