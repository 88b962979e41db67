import { useTranslations } from 'use-intl'
import { ServerTable } from '#components/table/server-table'
import { idColumn, type TableColumn } from '#components/table/table-columns'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { userMachinesQuery } from '#lib/cloud/machines/machines.queries'
import type { VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import { linkOf } from '#lib/ground/http/view'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import type { Say } from '#lib/words/words'

/** The virtual machines that belong to a user, wherever they are. */
export function MachinesTable({ user }: { user: UserDocument }) {
  const say = useTranslations('users.machines')
  const label = useTranslations('labels')
  const table = useTableState({ name: 'user-machines', prefix: 'machines', by: 'name' })
  const list = useList(table, (startwith) => userMachinesQuery(user, { ...table.query, startwith }))
  return (
    <ServerTable
      title={label('virtualMachines')}
      table={table}
      list={list}
      columns={columns(say)}
      filterLabel={say('filter')}
      empty={{ title: say('empty'), hint: say('emptyHint') }}
    />
  )
}

const columns = (say: Say<'users.machines'>): TableColumn<VirtualMachineDocument>[] => [
  { id: 'name', by: 'name', isRowHeader: true, cell: ({ label, name }) => label || name },
  { id: 'state', cell: ({ state }) => say(`states.${state}`) },
  ...(['virtualappliance', 'virtualdatacenter', 'location', 'enterprise'] as const).map((rel) => ({
    id: rel,
    header: say(rel),
    cell: (machine: VirtualMachineDocument) => linkOf(machine, rel)?.title ?? '–',
  })),
  idColumn,
]
