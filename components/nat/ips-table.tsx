import Button from '@cloudscape-design/components/button'
import Toggle from '@cloudscape-design/components/toggle'
import { useQuery } from '@tanstack/react-query'
import { ServerTable } from '#components/layout/server-table'
import { useTableState } from '#components/layout/use-table-state'
import { natIpsQuery } from '#lib/nat/ips.queries'
import { natIpOrders } from '#lib/nat/ips.schema'
import { ipColumns } from './ip-columns'

type IpsTableProps = {
  datacenter: number
  /** Without it: the IPs of all networks of the datacenter. */
  network?: number
}

/** NAT IPs, of one network or of a whole datacenter. */
export function IpsTable({ datacenter, network }: IpsTableProps) {
  const isOne = network !== undefined
  const table = useTableState({
    name: isOne ? 'network-ips' : 'nat-ips',
    ...(isOne && { prefix: 'ips' }),
    by: 'ip',
    orders: natIpOrders,
    filters: { all: ['true'], snatdefault: ['true'] },
    widening: ['all'],
  })
  const list = useQuery(natIpsQuery(datacenter, network, table.query))
  const isOn = (filter: 'all' | 'snatdefault') => table.filters[filter] === 'true'
  const set = (filter: 'all' | 'snatdefault', on: boolean) => table.setFilter(filter, on ? 'true' : undefined)
  return (
    <ServerTable
      title="IPs"
      table={table}
      list={list}
      columns={ipColumns(datacenter, { withNetwork: !isOne })}
      filterLabel="Find by IP"
      filters={
        <>
          <Toggle checked={isOn('all')} onChange={({ detail }) => set('all', detail.checked)}>
            Show unavailable
          </Toggle>
          <Toggle checked={isOn('snatdefault')} onChange={({ detail }) => set('snatdefault', detail.checked)}>
            Default SNAT only
          </Toggle>
        </>
      }
      empty={
        isOn('all')
          ? { title: 'No IPs yet', hint: 'IPs are added to a NAT network through the API.' }
          : {
              title: 'No available IPs',
              hint: 'Unavailable IPs are left out.',
              action: <Button onClick={() => set('all', true)}>Show unavailable</Button>,
            }
      }
    />
  )
}
