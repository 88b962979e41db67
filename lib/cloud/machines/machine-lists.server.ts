import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Listed, ReadContext } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { collectionOf, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesMachine, seesUser } from '#lib/caller/scopes/visibility.server'
import type { AllMachinesQuery, VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import { machineViews } from '#lib/cloud/machines/machines.server'
import type { VirtualAppliance } from '#lib/cloud/machines/virtual-appliances.server'
import { type SeenColumns, seesAmong } from '#lib/db/changed.server'
import type { Db } from '#lib/db/db.server'
import { namedList } from '#lib/db/list.server'
import type { Tables } from '#lib/db/tables.server'
import { type Csv, fields, linked, namesCell, noteColumns } from '#lib/ground/http/csv'
import type { ChangedPaging, ListQuery } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import type { UserRow } from '#lib/people/identity/users.server'

type MachineList = {
  from: (db: Db) => SelectQueryBuilder<Tables, 'virtual_machines', { id: number }>
  paging: ListQuery<'name' | 'id'>
  path: string
  scans?: boolean
}

/** The owner is hidden from callers who do not see the owner. */
const seenOwners = (caller: Caller): SeenColumns | undefined =>
  caller.scope.allEnterprises
    ? undefined
    : { user_id: seesAmong(sql`select users.id from users where ${seesUser(caller)}`) }

const machineList = (context: ReadContext, spec: MachineList): Promise<Listing> =>
  namedList({
    table: 'virtual_machines',
    seen: seenOwners(context.caller),
    views: (ids) => machineViews(context, ids),
    ...spec,
  })

export const listMachines = ({
  found: { id, center },
  query,
  ...context
}: Listed<VirtualAppliance, ChangedPaging>): Promise<Listing> =>
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

export const listMachinesOf = ({ found: user, query: paging, ...context }: Listed<UserRow, ChangedPaging>) =>
  machineList(context, {
    from: (db) => visibleMachines(db, context.caller).where('virtual_machines.user_id', '=', user.id),
    paging,
    path: `${pathOf(kinds.user, { enterprise: user.enterprise_id, id: user.id })}/action/virtualmachines`,
  })

/** The column of each filter by id. A filter by an invisible resource finds nothing, like a filter by one that does not exist. */
const idFilters = {
  enterprise: 'virtual_machines.enterprise_id',
  datacenter: 'datacenter_id',
  virtualdatacenter: 'virtual_machines.virtual_datacenter_id',
  user: 'virtual_machines.user_id',
} as const

type IdFilter = keyof typeof idFilters

function isFiltered({ caller }: ReadContext, filter: IdFilter, id: number): RawBuilder<SqlBool> {
  const column = sql.ref(idFilters[filter])
  if (filter === 'datacenter')
    return sql`virtual_machines.virtual_datacenter_id in (select id from virtual_datacenters where ${column} = ${id})`
  if (filter !== 'user') return sql`${column} = ${id}`
  return sql`${column} = ${id} and exists (
    select 1 from users where users.id = ${id} and ${seesUser(caller)})`
}

export const machineCsv: Csv<VirtualMachineDocument> = {
  filename: 'virtual-machines',
  columns: [
    ...fields<VirtualMachineDocument>('id', 'name', 'label', 'state'),
    ...linked('virtualAppliance'),
    ...linked('virtualDatacenter'),
    ...linked('enterprise'),
    ...linked('datacenter', 'location'),
    ...linked('user'),
    ...linked('template', 'virtualmachinetemplate'),
    { name: 'privateIps', of: (machine) => namesCell(nicNames(machine)) },
    { name: 'natRules', of: ({ natrules }) => natrules.length },
    ...noteColumns,
  ],
}

const nicNames = ({ links }: VirtualMachineDocument): string[] =>
  links.flatMap(({ rel, title }) => (/^nic\d+$/.test(rel) ? [title ?? ''] : []))

export const listAllMachines = (context: ReadContext, paging: AllMachinesQuery): Promise<Listing> =>
  machineList(context, {
    from: (db) => {
      const { vmlabel, state } = paging
      let query = visibleMachines(db, context.caller)
      if (vmlabel !== undefined) query = query.where('virtual_machines.label', '=', vmlabel)
      if (state !== undefined) query = query.where('virtual_machines.state', '=', state)
      for (const filter of Object.keys(idFilters) as IdFilter[]) {
        const id = paging[filter]
        if (id !== undefined) query = query.where(isFiltered(context, filter, id))
      }
      return query
    },
    paging,
    path: '/cloud/virtualmachines',
    // Thousands of machines may have the same label.
    scans: true,
  })
