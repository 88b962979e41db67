import Badge from '@cloudscape-design/components/badge'
import Box from '@cloudscape-design/components/box'
import Icon from '@cloudscape-design/components/icon'
import { AppLink } from '#components/layout/app-link'
import type { TableColumn } from '#components/layout/table-columns'
import { paths } from '#components/paths'
import { idOfLink, linkOf } from '#lib/http/view'
import type { NatRuleDocument } from '#lib/nat/rules.schema'
import { Address } from './address'
import { endText, type RuleEnd, ruleEnds } from './rule-ends'

type Column = TableColumn<NatRuleDocument>

const Type = ({ snat }: { snat: boolean }) => (
  <Badge color={snat ? 'blue' : 'green'}>{snat ? 'SNAT' : 'DNAT'}</Badge>
)

const End = ({ end }: { end: RuleEnd }) => (
  <Address>{end.isNatIp ? <Box variant="strong">{endText(end)}</Box> : endText(end)}</Address>
)

/** Which address becomes which; the NAT IP stands out. */
export function Translation({ rule }: { rule: NatRuleDocument }) {
  const { original, translated } = ruleEnds(rule)
  return (
    <>
      <End end={original} /> <Icon name="arrow-right" ariaLabel="becomes" /> <End end={translated} />
    </>
  )
}

const portText = (rule: NatRuleDocument, port: number | undefined): string =>
  rule.snat ? '–' : (port?.toString() ?? 'All')

const titleOf = (rule: NatRuleDocument, rel: string): string => linkOf(rule, rel)?.title ?? '–'

const networkColumn = (datacenter: number): Column => ({
  id: 'network',
  header: 'Network',
  width: 130,
  cell: (rule) => {
    const link = linkOf(rule, 'natnetwork')
    const network = idOfLink(link)
    if (network === undefined) return '–'
    return (
      <AppLink to={paths.natNetwork(datacenter, network)}>{link?.title ?? `NAT network ${network}`}</AppLink>
    )
  },
})

/** `withNetwork` where rules of several networks stand together. */
export const ruleColumns = (datacenter: number, { withNetwork }: { withNetwork: boolean }): Column[] => [
  {
    id: 'translation',
    header: 'Original → translated',
    by: 'ip',
    isRowHeader: true,
    width: 275,
    minWidth: 200,
    cell: (rule) => <Translation rule={rule} />,
  },
  {
    id: 'type',
    header: 'Type',
    by: 'snat',
    width: 110,
    minWidth: 90,
    cell: ({ snat }) => <Type snat={snat} />,
  },
  {
    id: 'protocol',
    header: 'Protocol',
    by: 'protocol',
    width: 125,
    minWidth: 100,
    cell: ({ protocol }) => protocol ?? '–',
  },
  {
    id: 'originalport',
    header: 'Original port',
    by: 'originalport',
    width: 150,
    cell: (rule) => portText(rule, rule.originalPort),
  },
  {
    id: 'translatedport',
    header: 'Translated port',
    by: 'translatedport',
    width: 165,
    cell: (rule) => portText(rule, rule.translatedPort),
  },
  ...(withNetwork ? [networkColumn(datacenter)] : []),
  {
    id: 'virtualmachine',
    header: 'Virtual machine',
    by: 'virtualmachine',
    width: 170,
    cell: (rule) => titleOf(rule, 'virtualmachine'),
  },
  {
    id: 'virtualdatacenter',
    header: 'Virtual datacenter',
    width: 160,
    cell: (rule) => titleOf(rule, 'virtualdatacenter'),
  },
]
