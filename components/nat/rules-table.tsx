import SegmentedControl from '@cloudscape-design/components/segmented-control'
import { useQuery } from '@tanstack/react-query'
import { ServerTable } from '#components/layout/server-table'
import { useTableState } from '#components/layout/use-table-state'
import { natRulesQuery } from '#lib/nat/rules.queries'
import { natRuleOrders } from '#lib/nat/rules.schema'
import { ruleColumns } from './rule-columns'

type RulesTableProps = {
  datacenter: number
  /** Without it: the rules of all networks of the datacenter. */
  network?: number
}

const everyType = 'all'

const types = [
  { id: everyType, text: 'All' },
  { id: 'true', text: 'SNAT' },
  { id: 'false', text: 'DNAT' },
]

/** NAT rules, of one network or of a whole datacenter. */
export function RulesTable({ datacenter, network }: RulesTableProps) {
  const isOne = network !== undefined
  const table = useTableState({
    name: isOne ? 'network-rules' : 'nat-rules',
    ...(isOne && { prefix: 'rules' }),
    by: 'ip',
    orders: natRuleOrders,
    filters: { snat: ['true', 'false'] },
  })
  const list = useQuery(natRulesQuery(datacenter, network, table.query))
  return (
    <ServerTable
      title="Rules"
      description="The NAT IP is in bold; the first column is in the order of the NAT IPs."
      table={table}
      list={list}
      columns={ruleColumns(datacenter, { withNetwork: !isOne })}
      filterLabel="Find by address, protocol or machine"
      filters={
        <SegmentedControl
          label="Type of rules"
          options={types}
          selectedId={table.filters.snat ?? everyType}
          onChange={({ detail }) =>
            table.setFilter('snat', detail.selectedId === everyType ? undefined : detail.selectedId)
          }
        />
      }
      empty={{
        title: isOne ? 'No rules in this network' : 'No NAT rules in this datacenter',
        hint: 'Rules are made at the virtual machines whose traffic they translate.',
      }}
    />
  )
}
