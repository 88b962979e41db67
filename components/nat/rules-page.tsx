import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { idIn, useIds } from '#components/forms/ids'
import { Page } from '#components/layout/page'
import { useSearchChange } from '#components/screens/use-search-change'
import { csvHref } from '#components/table/csv-link'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { filterText } from '#lib/bulk/bulk.queries'
import { natIpQuery } from '#lib/nat/ips.queries'
import { natIpRulesPath, natIpRulesQuery, natRulesPath, natRulesQuery } from '#lib/nat/rules.queries'
import { natProtocols, natRuleOrders } from '#lib/nat/rules.schema'
import { RuleList } from './rule-list'
import { useRuleTokens, useTypeToken } from './tokens'
import { natListLoader, useDatacenter } from './use-datacenter'

const ruleListSpec = (isOne: boolean) => ({
  name: isOne ? 'network-rules' : 'nat-rules',
  ...(isOne && { prefix: 'rules' }),
  by: 'ip',
  orders: natRuleOrders,
  filters: {
    snat: ['true', 'false'],
    protocol: natProtocols,
    network: isOne ? [] : ('id' as const),
    enterprise: 'id' as const,
    virtualmachine: 'id' as const,
  },
})

export const loader = natListLoader(
  () => ruleListSpec(false),
  (datacenter = 0, { query }) => natRulesQuery(datacenter, undefined, query),
)

export function Component() {
  const say = useTranslations('nat')
  const { datacenter } = useIds()
  const { name, natCrumbs } = useDatacenter(datacenter)
  return (
    <Page
      isList
      title={say('rules.title')}
      description={say('rules.about', { datacenter: name })}
      breadcrumbs={natCrumbs}
    >
      <RulesTable key={datacenter} datacenter={datacenter} />
    </Page>
  )
}

type RulesTableProps = {
  datacenter: number
  /** If absent, the table shows the rules of all networks. */
  network?: number
}

/** The parameter `rules.natip` limits the rules of a network to those of one IP. */
export function RulesTable({ datacenter, network }: RulesTableProps) {
  const [search] = useSearchParams()
  const natip = idIn(search, 'rules.natip')
  return network !== undefined && natip !== undefined ? (
    <RulesOfIp key={natip} datacenter={datacenter} network={network} natip={natip} />
  ) : (
    <AllRules datacenter={datacenter} network={network} />
  )
}

function AllRules({ datacenter, network }: { datacenter: number; network: number | undefined }) {
  const say = useTranslations('nat.rules')
  const isOne = network !== undefined
  const table = useTableState(ruleListSpec(isOne))
  const list = useList(table, (startwith) =>
    natRulesQuery(datacenter, network, { ...table.query, startwith }),
  )
  return (
    <RuleList
      datacenter={datacenter}
      withNetwork={!isOne}
      table={table}
      list={list}
      tokens={useRuleTokens(datacenter, network)}
      csv={csvHref(natRulesPath(datacenter, network), table.query)}
      bulkFilter={filterText({ ...table.query, ...(isOne && { network }) })}
      empty={say(isOne ? 'emptyNetwork' : 'emptyDatacenter')}
    />
  )
}

function RulesOfIp({ datacenter, network, natip }: { datacenter: number; network: number; natip: number }) {
  const say = useTranslations('nat.rules')
  const ip = useQuery(natIpQuery(datacenter, network, natip))
  const table = useTableState({
    name: 'ip-rules',
    prefix: 'rules',
    by: 'ip',
    orders: natRuleOrders,
    filters: { snat: ['true', 'false'] },
  })
  const list = useQuery(natIpRulesQuery({ datacenter, network, natip }, table.query))
  const name = ip.data?.document.ip ?? String(natip)
  return (
    <RuleList
      datacenter={datacenter}
      withNetwork={false}
      table={table}
      list={list}
      tokens={[useTypeToken()]}
      csv={csvHref(natIpRulesPath({ datacenter, network, natip }), table.query)}
      empty={say('emptyIp', { ip: name })}
      above={<OneIp ip={name} />}
    />
  )
}

function OneIp({ ip }: { ip: string }) {
  const say = useTranslations('nat.rules')
  const change = useSearchChange()
  const showAll = () => change({ 'rules.natip': undefined, 'rules.page': undefined })
  return (
    <SpaceBetween direction="horizontal" size="s" alignItems="center">
      <span>{say.rich('ofIp', { ip, strong: (inside) => <strong>{inside}</strong> })}</span>
      <Button variant="inline-link" onClick={showAll}>
        {say('ofAll')}
      </Button>
    </SpaceBetween>
  )
}
