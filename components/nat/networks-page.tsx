import Button from '@cloudscape-design/components/button'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { access } from '#components/access'
import { deviceReaders, needs } from '#components/datacenters/reasons'
import { useDatacenter } from '#components/datacenters/use-datacenter'
import { useIds } from '#components/datacenters/use-ids'
import { useFollow } from '#components/layout/app-link'
import { Page } from '#components/layout/page'
import { ServerTable } from '#components/layout/server-table'
import { useMay } from '#components/layout/session'
import { useTableState } from '#components/layout/use-table-state'
import { paths } from '#components/paths'
import { natNetworksQuery } from '#lib/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import { networkActions, networkFacts, networkOrders } from './network-columns'
import { RemoveNetwork } from './remove-network'

export function Component() {
  const { datacenter } = useIds()
  const { name, crumbs } = useDatacenter(datacenter)
  const table = useTableState({ name: 'nat-networks', by: 'name', orders: networkOrders })
  const list = useQuery(natNetworksQuery(datacenter, table.query))
  const mayChange = useMay(...access.changeNatNetworks)
  const [removing, setRemoving] = useState<NatNetworkDocument>()
  const create = <CreateButton datacenter={datacenter} />
  return (
    <Page
      title="NAT networks"
      description={`The networks of ${name} whose addresses translate to machines inside.`}
      breadcrumbs={crumbs}
    >
      <ServerTable
        title="Networks"
        table={table}
        list={list}
        columns={
          mayChange
            ? [...networkFacts(datacenter), networkActions(datacenter, setRemoving)]
            : networkFacts(datacenter)
        }
        filterLabel="Find networks by name or CIDR"
        actions={create}
        empty={{
          title: 'No NAT networks yet',
          hint: 'A NAT network is a range of addresses on a device of this datacenter.',
          action: create,
        }}
      />
      {removing && (
        <RemoveNetwork datacenter={datacenter} network={removing.id} onClose={() => setRemoving(undefined)} />
      )}
    </Page>
  )
}

/** Whoever may not read devices could not say on which one the network is to be. */
function CreateButton({ datacenter }: { datacenter: number }) {
  const follow = useFollow()
  const mayChoose = useMay(...deviceReaders)
  return (
    <Button
      variant="primary"
      href={paths.newNatNetwork(datacenter)}
      onFollow={follow}
      disabled={!mayChoose}
      disabledReason={needs('PHYS_DC_RETRIEVE_DETAILS')}
    >
      Create network
    </Button>
  )
}
