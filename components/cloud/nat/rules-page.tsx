import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { idIn, useDatacenterId } from '#components/base/forms/ids'
import { useSearchChange } from '#components/base/screens/use-search-change'
import { Page } from '#components/frame/layout/page'
import { Button } from '#components/kit/button'
import { Row } from '#components/kit/layout'
import { csvHref } from '#components/table/csv-link'
import { useTabPrefix } from '#components/table/table-tabs'
import type { TableSpec } from '#components/table/table-url'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { natIpQuery } from '#lib/cloud/nat/ips.queries'
import { natIpRulesPath, natIpRulesQuery, natRulesPath, natRulesQuery } from '#lib/cloud/nat/rules.queries'
import { allNatRuleOrders, natProtocols, natRuleOrders } from '#lib/cloud/nat/rules.schema'
import { RuleList } from './rule-list'
import { useRuleTokens, useTypeToken } from './tokens'
import {
  type NatPlace,
  natListLoader,
  useBulkFilter,
  useDatacenter,
  useOneDatacenter,
} from './use-datacenter'

type Filter =
  | 'within'
  | 'changed'
  | 'tag'
  | 'snat'
  | 'protocol'
  | 'enabled'
  | 'endsbefore'
  | 'datacenter'
  | 'network'
  | 'enterprise'
  | 'virtualmachine'

/** `prefix` in a tab. */
const ruleListSpec = ({ datacenter, network }: NatPlace, prefix?: string): TableSpec<Filter> => ({
  name: network !== undefined ? 'network-rules' : datacenter === undefined ? 'all-nat-rules' : 'nat-rules',
  ...(prefix && { prefix }),
  by: 'ip',
  orders: datacenter === undefined ? allNatRuleOrders : natRuleOrders,
  filters: {
    within: 'range',
    changed: 'change',
    tag: 'text',
    snat: ['true', 'false'],
    protocol: natProtocols,
    enabled: ['true', 'false'],
    endsbefore: 'moment',
    datacenter: datacenter === undefined ? 'id' : [],
    network: network === undefined ? 'id' : [],
    enterprise: 'id',
    virtualmachine: 'id',
  },
})

export const loader = natListLoader(
  (datacenter) => ruleListSpec({ datacenter }),
  (datacenter, { query }) => natRulesQuery(datacenter, undefined, query),
)

export function Component() {
  const say = useTranslations('nat')
  const datacenter = useDatacenterId()
  const { name, crumbs, natCrumbs } = useDatacenter(datacenter)
  const isAll = datacenter === undefined
  return (
    <Page
      isList
      title={say('rules.title')}
      description={isAll ? say('rules.aboutAll') : say('rules.about', { datacenter: name })}
      breadcrumbs={isAll ? crumbs : natCrumbs}
    >
      <RulesTable key={datacenter} datacenter={datacenter} />
    </Page>
  )
}

type RulesTableProps = {
  /** If absent, the table shows the rules of all visible datacenters. */
  datacenter: number | undefined
  /** If absent, the table shows the rules of all networks. */
  network?: number
}

/** The parameter `rules.natip` limits the rules of a network to those of one IP. */
export function RulesTable({ datacenter, network }: RulesTableProps) {
  const [search] = useSearchParams()
  const natip = idIn(search, 'rules.natip')
  return datacenter !== undefined && network !== undefined && natip !== undefined ? (
    <RulesOfIp key={natip} datacenter={datacenter} network={network} natip={natip} />
  ) : (
    <AllRules datacenter={datacenter} network={network} />
  )
}

function AllRules({ datacenter, network }: NatPlace) {
  const say = useTranslations('nat.rules')
  const isOne = network !== undefined
  const table = useTableState(ruleListSpec({ datacenter, network }, useTabPrefix('rules')))
  const one = useOneDatacenter(datacenter, table.filters.datacenter)
  const list = useList(table, (startwith) =>
    natRulesQuery(datacenter, network, { ...table.query, startwith }),
  )
  return (
    <RuleList
      place={{ datacenter, network }}
      one={one}
      table={table}
      list={list}
      tokens={useRuleTokens(datacenter, network)}
      csv={csvHref(natRulesPath(datacenter, network), table.query)}
      bulkFilter={useBulkFilter({ ...table.query, ...(isOne && { network }) }, one)}
      empty={say(isOne ? 'emptyNetwork' : datacenter === undefined ? 'emptyAll' : 'emptyDatacenter')}
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
  const list = useList(table, (startwith) =>
    natIpRulesQuery({ datacenter, network, natip }, { ...table.query, startwith }),
  )
  const name = ip.data?.document.ip ?? String(natip)
  return (
    <RuleList
      place={{ datacenter, network }}
      one={datacenter}
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
    <Row gap="m">
      <span>{say.rich('ofIp', { ip, strong: (inside) => <strong>{inside}</strong> })}</span>
      <Button look="link" onPress={showAll}>
        {say('ofAll')}
      </Button>
    </Row>
  )
}
