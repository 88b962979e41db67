import Badge from '@cloudscape-design/components/badge'
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator'
import { AppLink } from '#components/layout/app-link'
import { useSession } from '#components/layout/session'
import type { TableColumn } from '#components/layout/table-columns'
import { paths } from '#components/paths'
import { idOfLink, linkOf } from '#lib/http/view'
import type { NatIpDocument } from '#lib/nat/ips.schema'
import { Address } from './address'
import { type IpState, ipState } from './ip-state'

type Column = TableColumn<NatIpDocument>

const states: Record<IpState, { type: StatusIndicatorProps.Type; text: string }> = {
  free: { type: 'success', text: 'Free' },
  unknown: { type: 'pending', text: 'Not held in your scope' },
  attached: { type: 'info', text: 'Attached' },
  unavailable: { type: 'stopped', text: 'Unavailable' },
  quarantine: { type: 'warning', text: 'Quarantine' },
}

function State({ ip }: { ip: NatIpDocument }) {
  const { scope } = useSession()
  const { type, text } = states[ipState(ip, scope.allEnterprises)]
  return <StatusIndicator type={type}>{text}</StatusIndicator>
}

const yesNo = (value: boolean): string => (value ? 'Yes' : 'No')

const titleOf = (ip: NatIpDocument, rel: string): string => linkOf(ip, rel)?.title ?? '–'

/** The rules of an IP are those of its network that name it. */
function rulesOf(datacenter: number, ip: NatIpDocument): string {
  const network = idOfLink(linkOf(ip, 'natnetwork'))
  const has = encodeURIComponent(ip.ip)
  return network === undefined
    ? `${paths.natRules(datacenter)}?has=${has}`
    : `${paths.natNetwork(datacenter, network, 'rules')}&rules.has=${has}`
}

const networkColumn = (datacenter: number): Column => ({
  id: 'network',
  header: 'Network',
  by: 'network',
  width: 125,
  cell: (ip) => {
    const network = idOfLink(linkOf(ip, 'natnetwork'))
    if (network === undefined) return ip.networkName
    return <AppLink to={paths.natNetwork(datacenter, network)}>{ip.networkName}</AppLink>
  },
})

/** `withNetwork` where IPs of several networks stand together. */
export const ipColumns = (datacenter: number, { withNetwork }: { withNetwork: boolean }): Column[] => [
  {
    id: 'ip',
    header: 'IP',
    by: 'ip',
    isRowHeader: true,
    width: 150,
    cell: ({ ip }) => <Address>{ip}</Address>,
  },
  ...(withNetwork ? [networkColumn(datacenter)] : []),
  { id: 'state', header: 'State', width: 140, cell: (ip) => <State ip={ip} /> },
  {
    id: 'available',
    header: 'Available',
    by: 'available',
    width: 125,
    hidden: true,
    cell: ({ available }) => yesNo(available),
  },
  {
    id: 'quarantine',
    header: 'Quarantine',
    by: 'quarantine',
    width: 145,
    cell: ({ quarantine }) => yesNo(quarantine),
  },
  {
    id: 'snat',
    header: 'Default SNAT',
    width: 140,
    cell: ({ defaultSnat }) => (defaultSnat ? <Badge color="blue">Default</Badge> : '–'),
  },
  {
    id: 'virtualdatacenter',
    header: 'Virtual datacenter',
    by: 'virtualdatacenter',
    width: 190,
    cell: (ip) => titleOf(ip, 'virtualdatacenter'),
  },
  {
    id: 'enterprise',
    header: 'Enterprise',
    by: 'enterprise',
    width: 150,
    cell: (ip) => titleOf(ip, 'enterprise'),
  },
  {
    id: 'rules',
    header: 'Rules',
    minWidth: 80,
    cell: (ip) => (
      <AppLink to={rulesOf(datacenter, ip)} ariaLabel={`Rules of ${ip.ip}`}>
        Rules
      </AppLink>
    ),
  },
]
