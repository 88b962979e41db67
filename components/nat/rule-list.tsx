import Button from '@cloudscape-design/components/button'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNeeds } from '#components/forms/reasons'
import { useMay } from '#components/session/session'
import type { BulkAction } from '#components/table/bulk'
import { useSelection } from '#components/table/selection'
import { ServerTable } from '#components/table/server-table'
import type { Token } from '#components/table/table-tokens'
import type { TableState } from '#components/table/use-table-state'
import type { Collection } from '#lib/http/view'
import { useNatChanged } from '#lib/nat/ip-changes.queries'
import { deleteNatRule } from '#lib/nat/ip-rules.queries'
import { isRemovable } from '#lib/nat/rules.queries'
import type { NatRuleDocument } from '#lib/nat/rules.schema'
import { NewRule } from './new-rule'
import { RemoveRule } from './remove-rule'
import { ruleColumns, ruleMenuColumn, ruleName } from './rule-columns'

type RuleListProps = {
  datacenter: number
  withNetwork: boolean
  table: Omit<TableState<string>, 'setFilter'>
  list: UseQueryResult<Collection<NatRuleDocument>>
  tokens: readonly Token[]
  csv: string
  /** What it says where there is no rule at all. */
  empty: string
  above?: ReactNode
}

/** NAT rules as a table, with what can be done with them. */
export function RuleList({ datacenter, withNetwork, table, list, tokens, csv, empty, above }: RuleListProps) {
  const say = useTranslations('nat.rules')
  const mayChange = useMay('VAPP_CUSTOMISE_SETTINGS')
  const selection = useSelection((rule: NatRuleDocument) => ruleName(say, rule))
  const bulk = useRuleBulk(datacenter)
  const [removing, setRemoving] = useState<NatRuleDocument>()
  const [isCreating, setCreating] = useState(false)
  const columns = ruleColumns(say, datacenter, { withNetwork })
  const create = <CreateButton onClick={() => setCreating(true)} />
  return (
    <>
      <ServerTable
        title={say('list')}
        description={above ?? say('order')}
        table={table}
        list={list}
        columns={mayChange ? [...columns, ruleMenuColumn(say, setRemoving)] : columns}
        tokens={tokens}
        filterLabel={say('find')}
        csv={csv}
        actions={create}
        {...(mayChange && { selection, bulk })}
        empty={{ title: empty, hint: say('emptyHint'), action: create }}
      />
      {removing && (
        <RemoveRule datacenter={datacenter} rule={removing} onClose={() => setRemoving(undefined)} />
      )}
      {isCreating && <NewRule datacenter={datacenter} onClose={() => setCreating(false)} />}
    </>
  )
}

function useRuleBulk(datacenter: number): BulkAction<NatRuleDocument>[] {
  const say = useTranslations('nat.rules')
  const changed = useNatChanged(datacenter)
  return [
    {
      id: 'delete',
      label: say('delete'),
      needs: (rules) => (rules.some(isRemovable) ? undefined : say('notYours')),
      run: (rule) => deleteNatRule(rule).finally(changed),
      confirm: { title: say('deleteManyTitle'), text: say('deleteManyText') },
    },
  ]
}

/** The form finds the machine by the lists of virtual datacenters. */
function CreateButton({ onClick }: { onClick: () => void }) {
  const say = useTranslations('nat.rules')
  const needs = useNeeds()
  const mayFind = useMay('VDC_ENUMERATE')
  const mayCreate = useMay('VAPP_CUSTOMISE_SETTINGS')
  return (
    <Button
      variant="primary"
      disabled={!mayFind || !mayCreate}
      disabledReason={needs(mayCreate ? 'VDC_ENUMERATE' : 'VAPP_CUSTOMISE_SETTINGS')}
      onClick={onClick}
    >
      {say('create')}
    </Button>
  )
}
