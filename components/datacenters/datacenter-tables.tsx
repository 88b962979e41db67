import Box from '@cloudscape-design/components/box'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { networkFacts, networkOrders } from '#components/nat/networks-page'
import { AppButton } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { ServerTable } from '#components/table/server-table'
import type { TableColumn } from '#components/table/table-columns'
import { useTableState } from '#components/table/use-table-state'
import { racksQuery, remoteServicesQuery } from '#lib/infrastructure/datacenters.queries'
import type { RackDocument, RemoteServiceDocument } from '#lib/infrastructure/datacenters.schema'
import { natNetworksQuery } from '#lib/nat/networks.queries'
import type { Say } from '#lib/words/words'

export function NatUse({ datacenter }: { datacenter: number }) {
  const say = useTranslations('datacenters.use')
  const label = useTranslations('labels')
  const table = useTableState({ name: 'nat-use', prefix: 'nat', by: 'name', orders: networkOrders, size: 10 })
  const toNetworks = <AppButton to={paths.natNetworks(datacenter)}>{say('toNetworks')}</AppButton>
  return (
    <ServerTable
      title={label('natNetworks')}
      table={table}
      list={useQuery(natNetworksQuery(datacenter, table.query))}
      columns={networkFacts(datacenter)}
      filterLabel={label('findNetworks')}
      actions={toNetworks}
      empty={{ title: label('noNetworks'), hint: say('emptyHint'), action: toNetworks }}
    />
  )
}

const rackColumns: TableColumn<RackDocument>[] = [
  { id: 'name', by: 'name', isRowHeader: true, cell: ({ name }) => name },
  { id: 'description', cell: ({ shortDescription }) => shortDescription || '–' },
  { id: 'id', by: 'id', hidden: true, cell: ({ id }) => id },
]

export function RacksTable({ datacenter }: { datacenter: number }) {
  const say = useTranslations('datacenters.racks')
  const label = useTranslations('labels')
  const table = useTableState({ name: 'racks', prefix: 'racks', by: 'name' })
  return (
    <ServerTable
      title={label('racks')}
      table={table}
      list={useQuery(racksQuery(datacenter, table.query))}
      columns={rackColumns}
      filterLabel={say('find')}
      empty={{ title: say('empty'), hint: say('emptyHint') }}
    />
  )
}

const serviceColumns = (say: Say<'datacenters.services'>): TableColumn<RemoteServiceDocument>[] => [
  { id: 'type', by: 'type', isRowHeader: true, cell: ({ type }) => type },
  { id: 'uri', header: say('address'), cell: ({ uri }) => <Box variant="code">{uri}</Box> },
  {
    id: 'status',
    header: say('status'),
    cell: ({ status }) =>
      status === 1 ? (
        <StatusIndicator type="success">{say('running')}</StatusIndicator>
      ) : (
        <StatusIndicator type="stopped">{say('stopped')}</StatusIndicator>
      ),
  },
]

export function RemoteServicesTable({ datacenter }: { datacenter: number }) {
  const say = useTranslations('datacenters.services')
  const label = useTranslations('labels')
  const table = useTableState({ name: 'remote-services', prefix: 'services', by: 'type' })
  return (
    <ServerTable
      title={label('remoteServices')}
      table={table}
      list={useQuery(remoteServicesQuery(datacenter, table.query))}
      columns={serviceColumns(say)}
      filterLabel={say('find')}
      empty={{ title: say('empty'), hint: say('emptyHint') }}
    />
  )
}
