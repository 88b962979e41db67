import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDatacenterId } from '#components/base/forms/ids'
import { useNeeds } from '#components/base/forms/reasons'
import { RequiresPrivilege } from '#components/base/forms/why'
import { access } from '#components/base/screens/access'
import { AppButton, AppLink } from '#components/base/screens/app-link'
import { useIsPast } from '#components/base/screens/as-of'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { csvHref } from '#components/table/csv-link'
import { noteColumns, useTagToken } from '#components/table/notes'
import { actionsColumn } from '#components/table/row-actions'
import { ServerTable } from '#components/table/server-table'
import { idColumn, type TableColumn } from '#components/table/table-columns'
import { useTabPrefix } from '#components/table/table-tabs'
import { boundToken, changedToken, type Token } from '#components/table/table-tokens'
import type { TableSpec } from '#components/table/table-url'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { kinds } from '#lib/caller/kinds/kinds'
import { natNetworksPath, natNetworksQuery } from '#lib/cloud/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/cloud/nat/networks.schema'
import { linkOf } from '#lib/ground/http/view'
import { Address, Count, datacenterColumn } from './cells'
import { hasIps, RemoveNetwork } from './remove-network'
import { useDatacenterTokens } from './tokens'
import { UseBar } from './use-bar'
import { datacenterOf, natListLoader, useDatacenter, useOneDatacenter } from './use-datacenter'

const orders = ['name', 'cidr', 'device', 'use', 'id'] as const

/** Within so many days networks are full. */
const fillDays = ['7', '30', '90', '365']

type NetworkFilter = 'datacenter' | 'overlaps' | 'rules' | 'used' | 'fillswithin' | 'changed' | 'tag'

const networkListSpec = (datacenter: number | undefined, prefix?: string): TableSpec<NetworkFilter> => ({
  name: datacenter === undefined ? 'all-nat-networks' : 'nat-networks',
  ...(prefix && { prefix }),
  by: 'name',
  orders: datacenter === undefined ? [...orders, 'datacenter'] : orders,
  filters: {
    datacenter: datacenter === undefined ? 'id' : [],
    overlaps: 'range',
    rules: 'bound',
    used: 'bound',
    fillswithin: fillDays,
    changed: 'change',
    tag: 'text',
  },
})

export const loader = natListLoader(networkListSpec, (datacenter, { query }) =>
  natNetworksQuery(datacenter, query),
)

export function Component() {
  const say = useTranslations('nat.networks')
  const label = useTranslations('labels')
  const datacenter = useDatacenterId()
  const { name, crumbs } = useDatacenter(datacenter)
  return (
    <Page
      isList
      title={label('natNetworks')}
      description={datacenter === undefined ? say('aboutAll') : say('about', { datacenter: name })}
      breadcrumbs={crumbs}
    >
      <NetworksTable key={datacenter} datacenter={datacenter} />
    </Page>
  )
}

/** The networks of one datacenter, or of all that are visible. */
export function NetworksTable({ datacenter }: { datacenter: number | undefined }) {
  const say = useTranslations('nat.networks')
  const sayCommon = useTranslations('common')
  const label = useTranslations('labels')
  const table = useTableState(networkListSpec(datacenter, useTabPrefix('nat')))
  const list = useList(table, (startwith) => natNetworksQuery(datacenter, { ...table.query, startwith }))
  const mayChange = useMay(...access.changeNatNetworks)
  const [removing, setRemoving] = useState<NatNetworkDocument>()
  const tokens: Token<NetworkFilter>[] = [
    ...useDatacenterTokens(datacenter),
    { key: 'overlaps', label: label('cidr'), range: 'overlaps', takesAddress: true },
    boundToken('used', label('used'), ['>80', '>50', '<1']),
    boundToken('rules', label('rules'), ['>0', '>10', '>100', '<1']),
    {
      key: 'fillswithin',
      label: say('fillsWithin'),
      values: fillDays.map((value) => ({ value, label: say('days', { count: Number(value) }) })),
    },
    changedToken(label('changed')),
    useTagToken(),
  ]
  const create = <CreateButton datacenter={useOneDatacenter(datacenter, table.filters.datacenter)} />
  const facts = networkFacts(datacenter)
  const actions = actionsColumn<NatNetworkDocument>({
    nameOf: ({ name }) => name,
    actionsOf: (network) => [
      { does: 'edit', to: paths.editNatNetwork(datacenterOf(network), network.id) },
      { does: 'remove', refused: hasIps(say, network), onClick: () => setRemoving(network) },
    ],
  })
  return (
    <>
      <ServerTable
        entity="natnetwork"
        title={label('natNetworks')}
        table={table}
        list={list}
        columns={mayChange ? [...facts, actions] : facts}
        tokens={tokens}
        filterLabel={label('findNetworks')}
        csv={csvHref(natNetworksPath(datacenter), table.query)}
        imports={datacenter === undefined ? 'natnetworks' : undefined}
        actions={create}
        details={(network) => ({
          title: network.name,
          to: paths.natNetwork(datacenterOf(network), network.id),
          actions: mayChange
            ? [
                {
                  id: 'remove',
                  text: sayCommon('delete'),
                  refused: hasIps(say, network),
                  run: () => setRemoving(network),
                },
              ]
            : [],
        })}
        empty={{ title: label('noNetworks'), hint: say('emptyHint'), action: create }}
      />
      {removing && (
        <RemoveNetwork
          datacenter={datacenterOf(removing)}
          network={removing.id}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  )
}

/** Users who see networks may create them. The form needs the list of devices. */
function CreateButton({ datacenter }: { datacenter: number | undefined }) {
  const label = useTranslations('labels')
  const needs = useNeeds()
  const mayChoose = useMay(...kinds.device.readers)
  const isPast = useIsPast()
  if (isPast) return null
  return (
    <RequiresPrivilege missing={!mayChoose && 'PHYS_DC_RETRIEVE_DETAILS'}>
      <AppButton
        look="main"
        refused={!mayChoose ? needs('PHYS_DC_RETRIEVE_DETAILS') : undefined}
        data-key="n"
        to={paths.newNatNetwork(datacenter)}
      >
        {label('createNetwork')}
      </AppButton>
    </RequiresPrivilege>
  )
}

type Column = TableColumn<NatNetworkDocument>

const networkFacts = (datacenter: number | undefined): Column[] => [
  {
    id: 'name',
    by: 'name',
    isRowHeader: true,
    small: 'first',
    cell: (network) => (
      <AppLink to={paths.natNetwork(datacenterOf(network), network.id)}>{network.name}</AppLink>
    ),
  },
  { id: 'cidr', by: 'cidr', small: 'below', cell: ({ cidr }) => <Address>{cidr}</Address> },
  ...(datacenter === undefined ? [{ ...datacenterColumn, small: 'below' as const }] : []),
  {
    id: 'device',
    by: 'device',
    hidden: datacenter === undefined,
    cell: (network) => <ScreenLink link={linkOf(network, 'device')} />,
  },
  { id: 'ips', isNumber: true, cell: ({ ips }) => <Count of={ips} /> },
  { id: 'used', by: 'use', small: 'end', cell: (network) => <UseBar network={network} /> },
  { id: 'rules', isNumber: true, cell: ({ rules }) => <Count of={rules} /> },
  ...noteColumns,
  idColumn,
]
