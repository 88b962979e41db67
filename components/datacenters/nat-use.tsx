import { useQuery } from '@tanstack/react-query'
import { ServerTable } from '#components/layout/server-table'
import { useTableState } from '#components/layout/use-table-state'
import { networkFacts, networkOrders } from '#components/nat/network-columns'
import { natNetworksQuery } from '#lib/nat/networks.queries'

/** How full the NAT networks of a datacenter are. */
export function NatUse({ datacenter }: { datacenter: number }) {
  const table = useTableState({ name: 'nat-use', prefix: 'nat', by: 'name', orders: networkOrders, size: 10 })
  const list = useQuery(natNetworksQuery(datacenter, table.query))
  return (
    <ServerTable
      title="NAT networks"
      table={table}
      list={list}
      columns={networkFacts(datacenter)}
      filterLabel="Find networks by name or CIDR"
      empty={{ title: 'No NAT networks yet', hint: 'They are created on the page of NAT networks.' }}
    />
  )
}
