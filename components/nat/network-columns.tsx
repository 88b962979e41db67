import { RowActions } from '#components/datacenters/row-actions'
import { AppLink } from '#components/layout/app-link'
import type { TableColumn } from '#components/layout/table-columns'
import { paths } from '#components/paths'
import { linkOf } from '#lib/http/view'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import { Address } from './address'
import { UseBar } from './use-bar'

type Column = TableColumn<NatNetworkDocument>

export const networkOrders = ['name', 'cidr', 'device', 'id'] as const

/** What every list of NAT networks shows. */
export const networkFacts = (datacenter: number): Column[] => [
  {
    id: 'name',
    header: 'Name',
    by: 'name',
    isRowHeader: true,
    width: 190,
    cell: ({ id, name }) => <AppLink to={paths.natNetwork(datacenter, id)}>{name}</AppLink>,
  },
  { id: 'cidr', header: 'CIDR', by: 'cidr', width: 180, cell: ({ cidr }) => <Address>{cidr}</Address> },
  {
    id: 'device',
    header: 'Device',
    by: 'device',
    width: 170,
    cell: (network) => linkOf(network, 'device')?.title ?? '–',
  },
  { id: 'ips', header: 'IPs', width: 100, minWidth: 80, cell: ({ ips }) => ips.toLocaleString() },
  { id: 'used', header: 'Used', width: 220, minWidth: 160, cell: (network) => <UseBar network={network} /> },
  { id: 'rules', header: 'Rules', width: 100, minWidth: 80, cell: ({ rules }) => rules.toLocaleString() },
  { id: 'id', header: 'Id', by: 'id', width: 100, minWidth: 80, hidden: true, cell: ({ id }) => id },
]

export const hasIps = ({ ips }: Pick<NatNetworkDocument, 'ips'>): string | undefined =>
  ips === 0
    ? undefined
    : `It still has ${ips === 1 ? '1 IP' : `${ips.toLocaleString()} IPs`}. Delete them first.`

/** What may be done with a network of the list. */
export const networkActions = (
  datacenter: number,
  onRemove: (network: NatNetworkDocument) => void,
): Column => ({
  id: 'actions',
  header: 'Actions',
  minWidth: 100,
  cell: (network) => (
    <RowActions
      name={network.name}
      actions={[
        { text: 'Edit', icon: 'edit', to: paths.editNatNetwork(datacenter, network.id) },
        { text: 'Delete', icon: 'remove', refused: hasIps(network), onClick: () => onRemove(network) },
      ]}
    />
  ),
})
