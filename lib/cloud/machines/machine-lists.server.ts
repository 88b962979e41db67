import type { SelectQueryBuilder } from 'kysely'
import type { Listed, ReadContext } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { collectionOf, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesMachine } from '#lib/caller/scopes/visibility.server'
import type { AllMachinesQuery } from '#lib/cloud/machines/machines.schema'
import { machineViews } from '#lib/cloud/machines/machines.server'
import type { VirtualAppliance } from '#lib/cloud/machines/virtual-appliances.server'
import type { Db } from '#lib/db/db.server'
import { namedList } from '#lib/db/list.server'
import type { Tables } from '#lib/db/tables.server'
import type { ListQuery, NamePaging } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import type { UserRow } from '#lib/people/identity/users.server'

type MachineList = {
  from: (db: Db) => SelectQueryBuilder<Tables, 'virtual_machines', { id: number }>
  paging: ListQuery<'name' | 'id'>
  path: string
  scans?: boolean
}

const machineList = (context: ReadContext, spec: MachineList): Promise<Listing> =>
  namedList({
    table: 'virtual_machines',
    views: (ids) => machineViews(context, ids),
    ...spec,
  })

export const listMachines = ({
  found: { id, center },
  query,
  ...context
}: Listed<VirtualAppliance, NamePaging>): Promise<Listing> =>
  machineList(context, {
    from: (db) =>
      db
        .selectFrom('virtual_machines')
        .where('virtual_machines.virtual_appliance_id', '=', id)
        .select('virtual_machines.id'),
    paging: query,
    path: collectionOf(kinds.virtualmachine, { virtualdatacenter: center.id, virtualappliance: id }),
  })

const visibleMachines = (db: Db, caller: Caller) =>
  db.selectFrom('virtual_machines').where(seesMachine(caller)).select('virtual_machines.id')

export const listMachinesOf = ({ found: user, query: paging, ...context }: Listed<UserRow, NamePaging>) =>
  machineList(context, {
    from: (db) => visibleMachines(db, context.caller).where('virtual_machines.user_id', '=', user.id),
    paging,
    path: `${pathOf(kinds.user, { enterprise: user.enterprise_id, id: user.id })}/action/virtualmachines`,
  })

export const listAllMachines = (context: ReadContext, paging: AllMachinesQuery): Promise<Listing> =>
  machineList(context, {
    from: (db) =>
      visibleMachines(db, context.caller).$if(paging.vmlabel !== undefined, (query) =>
        query.where('virtual_machines.label', '=', paging.vmlabel ?? ''),
      ),
    paging,
    path: '/cloud/virtualmachines',
    // Thousands of machines may have the same label.
    scans: true,
  })
