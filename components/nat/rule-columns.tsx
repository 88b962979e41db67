import Badge from '@cloudscape-design/components/badge'
import { paths } from '#components/paths'
import { AppLink } from '#components/screens/app-link'
import { RowActions } from '#components/table/row-actions'
import type { TableColumn } from '#components/table/table-columns'
import { idOfLink, linkOf } from '#lib/http/view'
import { isRemovable } from '#lib/nat/rules.queries'
import type { NatRuleDocument } from '#lib/nat/rules.schema'
import type { Say } from '#lib/words/words'
import { endText, ruleEnds } from './rule-ends'
import { Translation } from './translation'

type Column = TableColumn<NatRuleDocument>

const Type = ({ snat }: { snat: boolean }) => (
  <Badge color={snat ? 'blue' : 'green'}>{snat ? 'SNAT' : 'DNAT'}</Badge>
)

const titleOf = (rule: NatRuleDocument, rel: string): string => linkOf(rule, rel)?.title ?? '–'

/** What a rule is called for who cannot see it. */
export function ruleName(say: Say<'nat.rules'>, rule: NatRuleDocument): string {
  const { original, translated } = ruleEnds(rule)
  const text = (end: typeof original) => (end.address === undefined ? say('hidden') : endText(end))
  return say('name', {
    type: rule.snat ? 'SNAT' : 'DNAT',
    original: text(original),
    translated: text(translated),
  })
}

const portText = (say: Say<'nat.rules'>, rule: NatRuleDocument, port: number | undefined): string =>
  rule.snat ? '–' : (port?.toString() ?? say('allPorts'))

const networkColumn = (say: Say<'nat.rules'>, datacenter: number): Column => ({
  id: 'network',
  header: say('network'),
  width: 140,
  cell: (rule) => {
    const link = linkOf(rule, 'natnetwork')
    const network = idOfLink(link)
    if (network === undefined) return '–'
    return <AppLink to={paths.natNetwork(datacenter, network)}>{link?.title ?? String(network)}</AppLink>
  },
})

/** `withNetwork` where rules of several networks stand together. */
export const ruleColumns = (
  say: Say<'nat.rules'>,
  datacenter: number,
  { withNetwork }: { withNetwork: boolean },
): Column[] => [
  {
    id: 'type',
    header: say('type'),
    by: 'snat',
    width: 95,
    minWidth: 90,
    cell: ({ snat }) => <Type snat={snat} />,
  },
  {
    id: 'translation',
    header: say('translation'),
    by: 'ip',
    isRowHeader: true,
    width: 305,
    minWidth: 200,
    cell: (rule) => <Translation rule={rule} />,
  },
  {
    id: 'protocol',
    header: say('protocol'),
    by: 'protocol',
    width: 110,
    minWidth: 100,
    cell: ({ protocol }) => protocol ?? '–',
  },
  {
    id: 'originalport',
    header: say('originalPort'),
    by: 'originalport',
    width: 150,
    hidden: true,
    cell: (rule) => portText(say, rule, rule.originalPort),
  },
  {
    id: 'translatedport',
    header: say('translatedPort'),
    by: 'translatedport',
    width: 165,
    hidden: true,
    cell: (rule) => portText(say, rule, rule.translatedPort),
  },
  ...(withNetwork ? [networkColumn(say, datacenter)] : []),
  {
    id: 'virtualmachine',
    header: say('virtualMachine'),
    by: 'virtualmachine',
    width: 140,
    cell: (rule) => titleOf(rule, 'virtualmachine'),
  },
  {
    id: 'virtualdatacenter',
    header: say('virtualDatacenter'),
    width: 170,
    cell: (rule) => titleOf(rule, 'virtualdatacenter'),
  },
]

export const ruleMenuColumn = (say: Say<'nat.rules'>, onRemove: (rule: NatRuleDocument) => void): Column => ({
  id: 'actions',
  header: say('actions'),
  width: 95,
  minWidth: 90,
  cell: (rule) => (
    <RowActions
      name={ruleName(say, rule)}
      actions={[
        {
          does: 'remove',
          refused: isRemovable(rule) ? undefined : say('notYours'),
          onClick: () => onRemove(rule),
        },
      ]}
    />
  ),
})
