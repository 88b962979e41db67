import Box from '@cloudscape-design/components/box'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useQuery } from '@tanstack/react-query'
import { ServerTable } from '#components/layout/server-table'
import type { TableColumn } from '#components/layout/table-columns'
import { useTableState } from '#components/layout/use-table-state'
import { linkOf } from '#lib/http/view'
import { racksQuery, remoteServicesQuery } from '#lib/infrastructure/datacenters.queries'
import type { RackDocument, RemoteServiceDocument } from '#lib/infrastructure/datacenters.schema'
import { devicesQuery } from '#lib/infrastructure/devices.queries'
import type { DeviceDocument } from '#lib/infrastructure/devices.schema'

const orders = ['name', 'id'] as const

const racks: TableColumn<RackDocument>[] = [
  { id: 'name', header: 'Name', by: 'name', isRowHeader: true, width: 260, cell: ({ name }) => name },
  { id: 'description', header: 'Description', cell: ({ shortDescription }) => shortDescription || '–' },
]

export function RacksTable({ datacenter }: { datacenter: number }) {
  const table = useTableState({ name: 'racks', prefix: 'racks', by: 'name', orders })
  return (
    <ServerTable
      title="Racks"
      table={table}
      list={useQuery(racksQuery(datacenter, table.query))}
      columns={racks}
      filterLabel="Find racks by name"
      empty={{ title: 'No racks', hint: 'Nothing in this datacenter is mounted in a rack.' }}
    />
  )
}

const ServiceStatus = ({ isRunning }: { isRunning: boolean }) =>
  isRunning ? (
    <StatusIndicator type="success">Running</StatusIndicator>
  ) : (
    <StatusIndicator type="stopped">Not running</StatusIndicator>
  )

const remoteServices: TableColumn<RemoteServiceDocument>[] = [
  { id: 'type', header: 'Type', by: 'type', isRowHeader: true, width: 260, cell: ({ type }) => type },
  { id: 'uri', header: 'Address', width: 420, cell: ({ uri }) => <Box variant="code">{uri}</Box> },
  { id: 'status', header: 'Status', cell: ({ status }) => <ServiceStatus isRunning={status === 1} /> },
]

export function RemoteServicesTable({ datacenter }: { datacenter: number }) {
  const table = useTableState({
    name: 'remote-services',
    prefix: 'services',
    by: 'type',
    orders: ['type', 'id'],
  })
  return (
    <ServerTable
      title="Remote services"
      table={table}
      list={useQuery(remoteServicesQuery(datacenter, table.query))}
      columns={remoteServices}
      filterLabel="Find services by type"
      empty={{ title: 'No remote services', hint: 'No service works for this datacenter.' }}
    />
  )
}

const devices: TableColumn<DeviceDocument>[] = [
  { id: 'name', header: 'Name', by: 'name', isRowHeader: true, width: 220, cell: ({ name }) => name },
  { id: 'type', header: 'Type', width: 200, cell: (device) => linkOf(device, 'devicetype')?.title ?? '–' },
  { id: 'description', header: 'Description', width: 280, cell: ({ description }) => description || '–' },
  {
    id: 'endpoint',
    header: 'Address',
    width: 260,
    cell: ({ endpoint }) => <Box variant="code">{endpoint}</Box>,
  },
]

export function DevicesTable({ datacenter }: { datacenter: number }) {
  const table = useTableState({ name: 'devices', prefix: 'devices', by: 'name', orders })
  return (
    <ServerTable
      title="Devices"
      table={table}
      list={useQuery(devicesQuery(datacenter, table.query))}
      columns={devices}
      filterLabel="Find devices by name"
      empty={{ title: 'No devices', hint: 'NAT networks need a device that supports NAT.' }}
    />
  )
}
