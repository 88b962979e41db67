import { useTranslations } from 'use-intl'
import { paths } from '#components/base/screens/paths'
import { useMayPick, useSession } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { csvHref } from '#components/table/csv-link'
import { listLoader } from '#components/table/list-loader'
import { useTagToken } from '#components/table/notes'
import { ServerTable } from '#components/table/server-table'
import { changedToken, foundToken, namedToken, type Token } from '#components/table/table-tokens'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import {
  virtualDatacenterQuery,
  virtualDatacentersQuery,
} from '#lib/cloud/infrastructure/virtual-datacenters.queries'
import { allMachinesPath, virtualMachinesQuery } from '#lib/cloud/machines/machines.queries'
import {
  machineStates,
  nameOfMachine,
  type VirtualMachineDocument,
} from '#lib/cloud/machines/machines.schema'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { machineColumns } from './machine-columns'

type Filter = 'changed' | 'enterprise' | 'datacenter' | 'virtualdatacenter' | 'state' | 'user' | 'tag'

const spec = {
  name: 'virtual-machines',
  by: 'name',
  filters: {
    enterprise: 'id',
    datacenter: 'id',
    virtualdatacenter: 'id',
    state: machineStates,
    user: 'id',
    changed: 'change',
    tag: 'text',
  },
} as const

export const loader = listLoader(spec, (client, { query }) =>
  client.prefetchQuery(virtualMachinesQuery(query)),
)

export function Component() {
  const say = useTranslations('inventory')
  const table = useTableState(spec)
  const list = useList(table, (startwith) => virtualMachinesQuery({ ...table.query, startwith }))
  return (
    <Page isList title={say('machines.title')} description={say('machines.about')}>
      <ServerTable
        entity="virtualmachine"
        title={say('machines.title')}
        table={table}
        list={list}
        columns={machineColumns('virtualappliance', 'virtualdatacenter', 'location', 'enterprise', 'user')}
        filterLabel={say('machines.find')}
        tokens={useMachineTokens()}
        csv={csvHref(allMachinesPath, table.query)}
        details={detailsOf}
        empty={{ title: say('machines.empty'), hint: say('machines.emptyHint') }}
      />
    </Page>
  )
}

export const detailsOf = (machine: VirtualMachineDocument) => ({
  title: nameOfMachine(machine),
  to: screenOfMachine(machine),
})

/** The address of the machine's screen. */
export const screenOfMachine = (machine: VirtualMachineDocument): string => {
  const idIn = (rel: string) => idOfLink(linkOf(machine, rel)) ?? 0
  return paths.virtualMachine(idIn('virtualdatacenter'), idIn('virtualappliance'), machine.id)
}

function useMachineTokens(): Token<Filter>[] {
  const label = useTranslations('labels')
  const say = useTranslations('inventory')
  const { id, nick } = useSession()
  return [
    changedToken(label('changed')),
    useTagToken(),
    {
      key: 'state',
      label: label('state'),
      values: machineStates.map((value) => ({ value, label: say(`states.${value}`) })),
    },
    { key: 'user', label: label('user'), values: [{ value: String(id), label: nick }] },
    foundToken(
      { key: 'virtualdatacenter', label: label('virtualdatacenter') },
      {
        list: (has) => virtualDatacentersQuery({ by: 'name', has: has || undefined, limit: 20 }),
        one: virtualDatacenterQuery,
      },
    ),
    ...(useMayPick('datacenter')
      ? [namedToken('datacenter' as const, label('datacenter'), 'datacenter')]
      : []),
    ...(useMayPick('enterprise')
      ? [namedToken('enterprise' as const, label('enterprise'), 'enterprise')]
      : []),
  ]
}
