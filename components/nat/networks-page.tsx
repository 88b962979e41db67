import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useIds } from '#components/forms/ids'
import { useNeeds } from '#components/forms/reasons'
import { Page } from '#components/layout/page'
import { access } from '#components/screens/access'
import { AppButton, CellLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useMay } from '#components/session/session'
import { csvHref } from '#components/table/csv-link'
import { actionsColumn } from '#components/table/row-actions'
import { ServerTable } from '#components/table/server-table'
import { idColumn, type TableColumn } from '#components/table/table-columns'
import { useTableState } from '#components/table/use-table-state'
import { readers } from '#lib/auth/readers'
import { linkOf } from '#lib/http/view'
import { natNetworksPath, natNetworksQuery } from '#lib/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import { Address, Count } from './cells'
import { hasIps, RemoveNetwork } from './remove-network'
import { UseBar } from './use-bar'
import { datacenterListLoader, useDatacenter } from './use-datacenter'

export const networkOrders = ['name', 'cidr', 'device', 'use', 'id'] as const

const spec = { name: 'nat-networks', by: 'name', orders: networkOrders }

export const loader = datacenterListLoader(spec, (datacenter, { query }) =>
  natNetworksQuery(datacenter, query),
)

export function Component() {
  const say = useTranslations('nat.networks')
  const label = useTranslations('labels')
  const { datacenter } = useIds()
  const { name, crumbs } = useDatacenter(datacenter)
  const table = useTableState(spec)
  const list = useQuery(natNetworksQuery(datacenter, table.query))
  const mayChange = useMay(...access.changeNatNetworks)
  const [removing, setRemoving] = useState<NatNetworkDocument>()
  const create = <CreateButton datacenter={datacenter} />
  const facts = networkFacts(datacenter)
  const actions = actionsColumn<NatNetworkDocument>({
    nameOf: ({ name }) => name,
    actionsOf: (network) => [
      { does: 'edit', to: paths.editNatNetwork(datacenter, network.id) },
      { does: 'remove', refused: hasIps(say, network), onClick: () => setRemoving(network) },
    ],
  })
  return (
    <Page
      isList
      title={label('natNetworks')}
      description={say('about', { datacenter: name })}
      breadcrumbs={crumbs}
    >
      <ServerTable
        title={label('networks')}
        table={table}
        list={list}
        columns={mayChange ? [...facts, actions] : facts}
        filterLabel={label('findNetworks')}
        csv={csvHref(natNetworksPath(datacenter), table.query)}
        actions={create}
        empty={{ title: label('noNetworks'), hint: say('emptyHint'), action: create }}
      />
      {removing && (
        <RemoveNetwork datacenter={datacenter} network={removing.id} onClose={() => setRemoving(undefined)} />
      )}
    </Page>
  )
}

/** Disabled for users who cannot read devices: the form needs one. */
function CreateButton({ datacenter }: { datacenter: number }) {
  const label = useTranslations('labels')
  const needs = useNeeds()
  const mayChoose = useMay(...readers.device)
  return (
    <AppButton
      data-key="n"
      variant="primary"
      to={paths.newNatNetwork(datacenter)}
      disabled={!mayChoose}
      disabledReason={needs('PHYS_DC_RETRIEVE_DETAILS')}
    >
      {label('createNetwork')}
    </AppButton>
  )
}

type Column = TableColumn<NatNetworkDocument>

/** The columns of every list of NAT networks. */
export const networkFacts = (datacenter: number): Column[] => [
  {
    id: 'name',
    by: 'name',
    isRowHeader: true,
    cell: ({ id, name }) => <CellLink to={paths.natNetwork(datacenter, id)}>{name}</CellLink>,
  },
  { id: 'cidr', by: 'cidr', cell: ({ cidr }) => <Address>{cidr}</Address> },
  { id: 'device', by: 'device', cell: (network) => linkOf(network, 'device')?.title ?? '–' },
  { id: 'ips', isNumber: true, cell: ({ ips }) => <Count of={ips} /> },
  { id: 'used', by: 'use', cell: (network) => <UseBar network={network} /> },
  { id: 'rules', isNumber: true, cell: ({ rules }) => <Count of={rules} /> },
  idColumn,
]
