import { useTranslations } from 'use-intl'
import { Status } from '#components/kit/status'
import { ServerTable } from '#components/table/server-table'
import type { TableColumn } from '#components/table/table-columns'
import { changedToken } from '#components/table/table-tokens'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { racksQuery, remoteServicesQuery } from '#lib/cloud/infrastructure/datacenters.queries'
import type { RackDocument, RemoteServiceDocument } from '#lib/cloud/infrastructure/datacenters.schema'
import type { Say } from '#lib/words/words'

const rackColumns: TableColumn<RackDocument>[] = [
  { id: 'name', by: 'name', isRowHeader: true, cell: ({ name }) => name },
  { id: 'description', cell: ({ shortDescription }) => shortDescription || '–' },
  { id: 'id', by: 'id', hidden: true, cell: ({ id }) => id },
]

export function RacksTable({ datacenter }: { datacenter: number }) {
  const say = useTranslations('datacenters.racks')
  const label = useTranslations('labels')
  const table = useTableState({ name: 'racks', prefix: 'racks', by: 'name', filters: { changed: 'change' } })
  return (
    <ServerTable
      title={label('racks')}
      table={table}
      list={useList(table, (startwith) => racksQuery(datacenter, { ...table.query, startwith }))}
      columns={rackColumns}
      filterLabel={say('find')}
      tokens={[changedToken(label('changed'))]}
      empty={{ title: say('empty'), hint: say('emptyHint') }}
    />
  )
}

const serviceColumns = (say: Say<'datacenters.services'>): TableColumn<RemoteServiceDocument>[] => [
  { id: 'type', by: 'type', isRowHeader: true, cell: ({ type }) => type },
  { id: 'uri', header: say('address'), cell: ({ uri }) => <code>{uri}</code> },
  {
    id: 'status',
    header: say('status'),
    cell: ({ status }) =>
      status === 1 ? (
        <Status kind="good">{say('running')}</Status>
      ) : (
        <Status kind="off">{say('stopped')}</Status>
      ),
  },
]

export function RemoteServicesTable({ datacenter }: { datacenter: number }) {
  const say = useTranslations('datacenters.services')
  const label = useTranslations('labels')
  const table = useTableState({
    name: 'remote-services',
    prefix: 'services',
    by: 'type',
    filters: { changed: 'change' },
  })
  return (
    <ServerTable
      title={label('remoteServices')}
      table={table}
      list={useList(table, (startwith) => remoteServicesQuery(datacenter, { ...table.query, startwith }))}
      columns={serviceColumns(say)}
      filterLabel={say('find')}
      tokens={[changedToken(label('changed'))]}
      empty={{ title: say('empty'), hint: say('emptyHint') }}
    />
  )
}
