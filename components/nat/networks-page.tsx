import Button from '@cloudscape-design/components/button'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { access } from '#components/access'
import { useIds } from '#components/forms/ids'
import { useNeeds } from '#components/forms/reasons'
import { Page } from '#components/layout/page'
import { paths } from '#components/paths'
import { useFollow } from '#components/screens/app-link'
import { useMay } from '#components/session/session'
import { csvHref } from '#components/table/csv-link'
import { listLoader } from '#components/table/list-loader'
import { ServerTable } from '#components/table/server-table'
import { useTableState } from '#components/table/use-table-state'
import { readers } from '#lib/auth/readers'
import { natNetworksPath, natNetworksQuery } from '#lib/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import { networkActions, networkFacts, networkOrders } from './network-columns'
import { RemoveNetwork } from './remove-network'
import { prefetchDatacenter, useDatacenter } from './use-datacenter'

const spec = { name: 'nat-networks', by: 'name', orders: networkOrders }

export const loader = listLoader(spec, (client, { query }, { datacenter }) =>
  Promise.all([
    client.prefetchQuery(natNetworksQuery(Number(datacenter), query)),
    prefetchDatacenter(client, Number(datacenter)),
  ]),
)

export function Component() {
  const say = useTranslations('nat.networks')
  const { datacenter } = useIds()
  const { name, crumbs } = useDatacenter(datacenter)
  const table = useTableState(spec)
  const list = useQuery(natNetworksQuery(datacenter, table.query))
  const mayChange = useMay(...access.changeNatNetworks)
  const [removing, setRemoving] = useState<NatNetworkDocument>()
  const create = <CreateButton datacenter={datacenter} />
  const facts = networkFacts(say, datacenter)
  return (
    <Page title={say('title')} description={say('about', { datacenter: name })} breadcrumbs={crumbs}>
      <ServerTable
        title={say('list')}
        table={table}
        list={list}
        columns={mayChange ? [...facts, networkActions(say, datacenter, setRemoving)] : facts}
        filterLabel={say('find')}
        csv={csvHref(natNetworksPath(datacenter), table.query)}
        actions={create}
        empty={{ title: say('empty'), hint: say('emptyHint'), action: create }}
      />
      {removing && (
        <RemoveNetwork datacenter={datacenter} network={removing.id} onClose={() => setRemoving(undefined)} />
      )}
    </Page>
  )
}

/** Whoever may not read devices could not say on which one the network is to be. */
function CreateButton({ datacenter }: { datacenter: number }) {
  const say = useTranslations('nat.networks')
  const needs = useNeeds()
  const follow = useFollow()
  const mayChoose = useMay(...readers.device)
  return (
    <Button
      variant="primary"
      href={paths.newNatNetwork(datacenter)}
      onFollow={follow}
      disabled={!mayChoose}
      disabledReason={needs('PHYS_DC_RETRIEVE_DETAILS')}
    >
      {say('create')}
    </Button>
  )
}
