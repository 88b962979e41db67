import { useTranslations } from 'use-intl'
import { machineColumns } from '#components/cloud/inventory/machine-columns'
import { csvHref } from '#components/table/csv-link'
import { useTagToken } from '#components/table/notes'
import { ServerTable } from '#components/table/server-table'
import { changedToken } from '#components/table/table-tokens'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { userMachinesPath, userMachinesQuery } from '#lib/cloud/machines/machines.queries'
import type { UserDocument } from '#lib/people/identity/identity.schema'

/** The virtual machines that belong to a user, wherever they are. */
export function MachinesTable({ user }: { user: UserDocument }) {
  const say = useTranslations('users.machines')
  const label = useTranslations('labels')
  const table = useTableState({
    name: 'user-machines',
    prefix: 'machines',
    by: 'name',
    filters: { changed: 'change', tag: 'text' },
  })
  const list = useList(table, (startwith) => userMachinesQuery(user, { ...table.query, startwith }))
  return (
    <ServerTable
      title={label('virtualMachines')}
      table={table}
      list={list}
      columns={machineColumns('virtualappliance', 'virtualdatacenter', 'location', 'enterprise')}
      filterLabel={say('filter')}
      tokens={[changedToken(label('changed')), useTagToken()]}
      csv={csvHref(userMachinesPath(user), table.query)}
      empty={{ title: say('empty'), hint: say('emptyHint') }}
    />
  )
}
