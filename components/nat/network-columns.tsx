import { paths } from '#components/paths'
import { AppLink } from '#components/screens/app-link'
import { RowActions } from '#components/table/row-actions'
import type { TableColumn } from '#components/table/table-columns'
import { linkOf } from '#lib/http/view'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import type { Say } from '#lib/words/words'
import { Address } from './address'
import { Count } from './count'
import { UseBar } from './use-bar'

type Column = TableColumn<NatNetworkDocument>

export const networkOrders = ['name', 'cidr', 'device', 'use', 'id'] as const

/** What every list of NAT networks shows. */
export const networkFacts = (say: Say<'nat.networks'>, datacenter: number): Column[] => [
  {
    id: 'name',
    header: say('name'),
    by: 'name',
    isRowHeader: true,
    width: 190,
    cell: ({ id, name }) => <AppLink to={paths.natNetwork(datacenter, id)}>{name}</AppLink>,
  },
  { id: 'cidr', header: say('cidr'), by: 'cidr', width: 180, cell: ({ cidr }) => <Address>{cidr}</Address> },
  {
    id: 'device',
    header: say('device'),
    by: 'device',
    width: 170,
    cell: (network) => linkOf(network, 'device')?.title ?? '–',
  },
  { id: 'ips', header: say('ips'), width: 100, minWidth: 80, cell: ({ ips }) => <Count of={ips} /> },
  {
    id: 'used',
    header: say('used'),
    by: 'use',
    width: 220,
    minWidth: 160,
    cell: (network) => <UseBar network={network} />,
  },
  { id: 'rules', header: say('rules'), width: 100, minWidth: 80, cell: ({ rules }) => <Count of={rules} /> },
  { id: 'id', header: say('id'), by: 'id', width: 100, minWidth: 80, hidden: true, cell: ({ id }) => id },
]

/** Why a network with these IPs cannot be deleted. */
export const hasIps = (
  say: Say<'nat.networks'>,
  { ips }: Pick<NatNetworkDocument, 'ips'>,
): string | undefined => (ips === 0 ? undefined : say('hasIps', { count: ips }))

/** What may be done with a network of the list. */
export const networkActions = (
  say: Say<'nat.networks'>,
  datacenter: number,
  onRemove: (network: NatNetworkDocument) => void,
): Column => ({
  id: 'actions',
  header: say('actions'),
  minWidth: 100,
  cell: (network) => (
    <RowActions
      name={network.name}
      actions={[
        { does: 'edit', to: paths.editNatNetwork(datacenter, network.id) },
        { does: 'remove', refused: hasIps(say, network), onClick: () => onRemove(network) },
      ]}
    />
  ),
})
