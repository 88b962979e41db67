import Button from '@cloudscape-design/components/button'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { networkFacts, networkOrders } from '#components/nat/network-columns'
import { paths } from '#components/paths'
import { useFollow } from '#components/screens/app-link'
import { ServerTable } from '#components/table/server-table'
import { useTableState } from '#components/table/use-table-state'
import { natNetworksQuery } from '#lib/nat/networks.queries'

/** How full the NAT networks of a datacenter are. */
export function NatUse({ datacenter }: { datacenter: number }) {
  const say = useTranslations('datacenters.use')
  const follow = useFollow()
  const table = useTableState({ name: 'nat-use', prefix: 'nat', by: 'name', orders: networkOrders, size: 10 })
  const toNetworks = (
    <Button href={paths.natNetworks(datacenter)} onFollow={follow}>
      {say('toNetworks')}
    </Button>
  )
  return (
    <ServerTable
      title={say('title')}
      table={table}
      list={useQuery(natNetworksQuery(datacenter, table.query))}
      columns={networkFacts(useTranslations('nat.networks'), datacenter)}
      filterLabel={say('find')}
      actions={toNetworks}
      empty={{ title: say('empty'), hint: say('emptyHint'), action: toNetworks }}
    />
  )
}
