import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Confirm } from '#components/base/forms/confirm'
import { useNeeds } from '#components/base/forms/reasons'
import { useAction } from '#components/base/forms/use-action'
import { RequiresPrivilege } from '#components/base/forms/why'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay, useMissing } from '#components/base/session/session'
import { deferredOver } from '#components/kit/deferred-over'
import { Stack } from '#components/kit/layout'
import { Status } from '#components/kit/status'
import { Tool } from '#components/kit/tool'
import { type BulkAction, type BulkFilter, useSelection } from '#components/table/bulk'
import { CellBadge } from '#components/table/cells'
import { Ends, EndsSoon } from '#components/table/ends'
import { noteColumns } from '#components/table/notes'
import { actionsColumn } from '#components/table/row-actions'
import { ServerTable } from '#components/table/server-table'
import type { TableColumn } from '#components/table/table-columns'
import type { Token } from '#components/table/table-tokens'
import { useTagAction } from '#components/table/tag-action'
import type { ListResult } from '#components/table/use-list'
import type { TableState } from '#components/table/use-table-state'
import { useNatChanged } from '#lib/cloud/nat/ips.queries'
import { natNetworksPath } from '#lib/cloud/nat/networks.queries'
import {
  isRemovable,
  useRemoveNatRule,
  useSetNatRuleEnd,
  useSwitchNatRule,
} from '#lib/cloud/nat/rules.queries'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { bulkCall } from '#lib/record/jobs/bulk.queries'
import type { Say } from '#lib/words/words'
import { Count, datacenterColumn, RuleState } from './cells'
import styles from './nat.module.css'
import { portsOf, ruleEnds, ruleName } from './rule-ends'
import { Sources, Translation } from './translation'
import { datacenterOf, type NatPlace } from './use-datacenter'

const NewRule = deferredOver(async () => (await import('./new-rule')).NewRule)

const ChangeRule = deferredOver(async () => (await import('./change-rule')).ChangeRule)

const SetEnd = deferredOver(async () => (await import('./set-end')).SetEnd)

const RuleNotes = deferredOver(async () => (await import('./nat-notes')).RuleNotes)

type RuleListProps = {
  place: NatPlace
  /** The datacenter of all rules, if it is known. */
  one: number | undefined
  table: TableState<string>
  list: ListResult<NatRuleDocument>
  tokens: readonly Token[]
  csv?: string
  /** The filter of the datacenter's list that shows the same rules. */
  bulkFilter?: BulkFilter
  /** The title of the empty state. */
  empty: string
  above?: ReactNode
  /** All rules are of one machine, whose names are above the list. */
  ofMachine?: boolean
}

export function RuleList(props: RuleListProps) {
  const { place, one, table, list, tokens, csv, bulkFilter, empty, above, ofMachine = false } = props
  const say = useTranslations('nat.rules')
  const sayCommon = useTranslations('common')
  const label = useTranslations('labels')
  const mayChange = useMay('VAPP_CUSTOMISE_SETTINGS')
  const { datacenter } = place
  const selection = useSelection((rule: NatRuleDocument) => ruleName(say, rule), datacenterOf)
  const bulk = useRuleBulk(one, selection.selected)
  const [removing, setRemoving] = useState<NatRuleDocument>()
  const [noting, setNoting] = useState<NatRuleDocument>()
  const [changing, setChanging] = useState<NatRuleDocument>()
  const [ending, setEnding] = useState<NatRuleDocument>()
  const setEnd = useSetNatRuleEnd(datacenter)
  const sayIp = useTranslations('nat.ip.actions')
  const sayNotes = useTranslations('nat.ip')
  const [isCreating, setCreating] = useState(false)
  const columns = ruleColumns(say, place).filter(({ id }) => !ofMachine || !placesOfMachine.includes(id))
  const switching = useAction(useSwitchNatRule(datacenter), {
    done: ({ enabled }, { rule }) => say('switched', { name: ruleName(say, rule), enabled: String(enabled) }),
    failed: () => say('notSwitched'),
  })
  const turn = (rule: NatRuleDocument) => switching({ rule, enabled: !rule.enabled })
  const refusedFor = (rule: NatRuleDocument) => (isRemovable(rule) ? undefined : say('notYours'))
  const menu = actionsColumn<NatRuleDocument>({
    nameOf: (rule) => ruleName(say, rule),
    actionsOf: (rule) => [
      { does: rule.enabled ? 'disable' : 'enable', refused: refusedFor(rule), onClick: () => turn(rule) },
      { does: 'remove', refused: refusedFor(rule), onClick: () => setRemoving(rule) },
    ],
  })
  const create = <CreateButton onClick={() => setCreating(true)} />
  return (
    <>
      <ServerTable
        entity="natrule"
        title={label('rules')}
        description={above}
        table={table}
        list={list}
        columns={mayChange ? [...columns, { ...menu }] : columns}
        tokens={tokens}
        filterLabel={say('find')}
        csv={csv}
        imports={datacenter === undefined ? 'natrules' : undefined}
        actions={create}
        selection={mayChange ? selection : undefined}
        bulk={mayChange ? bulk : undefined}
        bulkFilter={mayChange ? bulkFilter : undefined}
        details={(rule) => ({
          title: ruleName(say, rule),
          actions: mayChange
            ? [
                ...(rule.snat
                  ? []
                  : [
                      {
                        id: 'change',
                        text: sayCommon('edit'),
                        refused: refusedFor(rule),
                        run: () => setChanging(rule),
                      },
                    ]),
                {
                  id: 'switch',
                  text: say(rule.enabled ? 'disable' : 'enable'),
                  refused: refusedFor(rule),
                  run: () => turn(rule),
                },
                {
                  id: 'notes',
                  text: sayNotes('notes'),
                  refused: refusedFor(rule),
                  run: () => setNoting(rule),
                },
                {
                  id: 'setEnd',
                  text: sayIp('setEnd'),
                  refused: refusedFor(rule),
                  run: () => setEnding(rule),
                },
                {
                  id: 'remove',
                  text: sayCommon('delete'),
                  refused: refusedFor(rule),
                  run: () => setRemoving(rule),
                },
              ]
            : [],
          children: (
            <Stack gap="s">
              <Translation rule={rule} />
              <Sources rule={rule} />
            </Stack>
          ),
        })}
        empty={{ title: empty, hint: say('emptyHint'), action: create }}
      />
      {removing && (
        <RemoveRule datacenter={datacenter} rule={removing} onClose={() => setRemoving(undefined)} />
      )}
      {noting && <RuleNotes datacenter={datacenter} rule={noting} onClose={() => setNoting(undefined)} />}
      {changing && (
        <ChangeRule datacenter={datacenter} rule={changing} onClose={() => setChanging(undefined)} />
      )}
      {ending && (
        <SetEnd
          kind="natrule"
          name={ruleName(say, ending)}
          ends={ending.ends}
          save={(ends) => setEnd.mutateAsync({ rule: ending, ends })}
          onDone={() => setEnding(undefined)}
          onClose={() => setEnding(undefined)}
        />
      )}
      {isCreating && <NewRule datacenter={one} onClose={() => setCreating(false)} />}
    </>
  )
}

function useRuleBulk(
  datacenter: number | undefined,
  selected: readonly NatRuleDocument[],
): BulkAction<NatRuleDocument>[] {
  const say = useTranslations('nat.rules')
  const sayCommon = useTranslations('common')
  const changed = useNatChanged(datacenter)
  const change = (fields: object) =>
    bulkCall((at = datacenter) => `${natNetworksPath(at)}/action/changerules`, fields)
  const turn = (enabled: boolean) => change({ enabled })
  const mayChange = (rules: readonly NatRuleDocument[]) =>
    rules.some(isRemovable) ? undefined : say('notYours')
  const needs = (enabled: boolean) => (rules: readonly NatRuleDocument[]) => {
    if (!rules.some(isRemovable)) return say('notYours')
    if (rules.some((rule) => rule.enabled !== enabled)) return undefined
    return say(enabled ? 'alreadyEnabled' : 'alreadyDisabled')
  }
  const counted = (count: number) => say('counted', { count })
  const tags = useTagAction({ selected, callWith: change, needs: mayChange, counted, changed })
  return [
    {
      id: 'enable',
      label: say('enable'),
      needs: needs(true),
      call: turn(true),
      undo: turn(false),
      counted,
      done: (rows) => say('enabledMany', rows),
      changed,
      asks: 'never',
    },
    {
      id: 'disable',
      label: say('disable'),
      needs: needs(false),
      call: turn(false),
      undo: turn(true),
      counted,
      done: (rows) => say('disabledMany', rows),
      changed,
      asks: 'always',
      confirm: (rows) => ({ title: say('askDisable', rows), text: say('askDisableText', rows) }),
    },
    tags,
    {
      id: 'delete',
      label: sayCommon('delete'),
      needs: mayChange,
      call: bulkCall((at = datacenter) => `${natNetworksPath(at)}/action/deleterules`),
      counted,
      done: (rows) => say('deletedMany', rows),
      changed,
      asks: 'always',
      confirm: (rows) => ({ title: say('askDelete', rows), text: say('askDeleteText', rows) }),
    },
  ]
}

/** The form needs the list of virtual datacenters to find the machine. */
function CreateButton({ onClick }: { onClick: () => void }) {
  const say = useTranslations('nat.rules')
  const needs = useNeeds()
  const missing = useMissing('VAPP_CUSTOMISE_SETTINGS', 'VDC_ENUMERATE')
  return (
    <RequiresPrivilege missing={missing}>
      <Tool
        look="main"
        refused={missing.length > 0 ? needs(...missing) : undefined}
        onPress={onClick}
        data-key="n"
      >
        {say('create')}
      </Tool>
    </RequiresPrivilege>
  )
}

const placesOfMachine: readonly string[] = ['virtualmachine', 'virtualdatacenter', 'datacenter']

type Column = TableColumn<NatRuleDocument>

const portColumn = (say: Say<'nat.rules'>, side: 'original' | 'translated'): Column => ({
  id: `${side}port`,
  header: say(`${side}Port`),
  by: `${side}port`,
  hidden: true,
  cell: (rule) => (rule.snat ? '–' : portsOf(ruleEnds(rule)[side]) || say('allPorts')),
})

const networkColumn: Column = {
  id: 'network',
  cell: (rule) => {
    const link = linkOf(rule, 'natnetwork')
    const network = idOfLink(link)
    if (network === undefined) return '–'
    return (
      <AppLink to={paths.natNetwork(datacenterOf(rule), network)}>{link?.title ?? String(network)}</AppLink>
    )
  },
}

const countColumn = (say: Say<'nat.rules'>, of: 'packets' | 'bytes'): Column => ({
  id: of,
  header: say(of),
  isNow: true,
  isNumber: true,
  hidden: true,
  cell: ({ [of]: count }) => (count === undefined ? '–' : <Count of={count} />),
})

const ruleColumns = (say: Say<'nat.rules'>, { datacenter, network }: NatPlace): Column[] => [
  {
    id: 'type',
    by: 'snat',
    small: 'end',
    cell: ({ snat, protocol }) => (
      <span className={styles.type}>
        {snat ? <CellBadge>SNAT</CellBadge> : <CellBadge isGood>DNAT</CellBadge>} {protocol}
      </span>
    ),
  },
  {
    id: 'translation',
    header: say('translation'),
    by: 'ip',
    isRowHeader: true,
    small: 'first',
    cell: (rule) => (
      <>
        <Translation rule={rule} /> <Sources rule={rule} most={1} />{' '}
        {!rule.enabled && <Status kind="off">{say('disabled')}</Status>} <EndsSoon ends={rule.ends} />
      </>
    ),
  },
  { id: 'ends', header: say('ends'), hidden: true, cell: ({ ends }) => <Ends ends={ends} /> },
  { id: 'protocol', by: 'protocol', hidden: true, cell: ({ protocol }) => protocol ?? '–' },
  portColumn(say, 'original'),
  portColumn(say, 'translated'),
  ...(network === undefined ? [networkColumn] : []),
  ...(datacenter === undefined ? [datacenterColumn] : []),
  {
    id: 'virtualmachine',
    by: 'virtualmachine',
    small: 'below',
    cell: (rule) => <ScreenLink link={linkOf(rule, 'virtualmachine')} />,
  },
  {
    id: 'virtualdatacenter',
    hidden: datacenter === undefined,
    cell: (rule) => <ScreenLink link={linkOf(rule, 'virtualdatacenter')} />,
  },
  {
    id: 'state',
    isNow: true,
    // With a column for the network, it would be cut off at 1440 pixels.
    hidden: network === undefined,
    cell: ({ deviceState }) => <RuleState state={deviceState} />,
  },
  countColumn(say, 'packets'),
  countColumn(say, 'bytes'),
  ...noteColumns,
]

type RemoveRuleProps = { datacenter: number | undefined; rule: NatRuleDocument; onClose: () => void }

function RemoveRule({ datacenter, rule, onClose }: RemoveRuleProps) {
  const say = useTranslations('nat.rules')
  return (
    <Confirm
      title={say('askDelete', { subject: ruleName(say, rule) })}
      input={rule}
      mutation={useRemoveNatRule(datacenter)}
      done={() => say('deleted', { name: ruleName(say, rule) })}
      onDone={onClose}
      onCancel={onClose}
    >
      <Stack>
        <Translation rule={rule} />
        <span>{say('deleteText', { machine: linkOf(rule, 'virtualmachine')?.title ?? '' })}</span>
      </Stack>
    </Confirm>
  )
}
