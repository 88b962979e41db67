import { type SelectQueryBuilder, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { columns } from '#lib/caller/kinds/columns.server'
import { linkTo, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { type Noted, noted } from '#lib/caller/kinds/notes.schema'
import { seesEnterprise, seesUser } from '#lib/caller/scopes/visibility.server'
import type { MachineState, VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import { isStillShared } from '#lib/cloud/machines/templates.server'
import {
  type AppliancePath,
  findVirtualAppliance,
  virtualApplianceTarget,
} from '#lib/cloud/machines/virtual-appliances.server'
import { rulesOfMachines } from '#lib/cloud/nat/machine-rules.server'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import type { Db, Trx } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { inOrderOf } from '#lib/db/list.server'
import { insertRow } from '#lib/db/unique.server'
import { ApiError } from '#lib/ground/http/errors'
import { link, linkIf } from '#lib/ground/http/view'

export const machineNotes = columns(kinds.virtualmachine, noted, {})

export type MachinePath = AppliancePath & { virtualmachine: number }

export type Machine = Awaited<ReturnType<typeof findMachine>>

/** The machine in this appliance of this virtual datacenter, if the caller sees that. Throws VDC-0, VAPP-0, VM-0. */
export async function findMachine(context: ReadContext, path: MachinePath) {
  const { center, ...appliance } = await findVirtualAppliance(context, path)
  const machine = await context.db
    .selectFrom('virtual_machines')
    .where('id', '=', path.virtualmachine)
    .where('virtual_appliance_id', '=', appliance.id)
    .select(['id', 'name', 'virtual_datacenter_id', 'virtual_appliance_id', 'enterprise_id'])
    .select(['user_id', 'template_id', 'label', 'state'])
    .executeTakeFirstOrThrow(() => new ApiError('VM-0'))
  return { ...machine, datacenter_id: center.datacenter_id }
}

/** The columns of the view. The user and the template's owner are shown only to callers who see their enterprises. */
const details = (db: Db, caller: Caller, ids: number[]) =>
  db
    .selectFrom('virtual_machines')
    .where('virtual_machines.id', 'in', ids)
    .innerJoin('enterprises', 'enterprises.id', 'virtual_machines.enterprise_id')
    .innerJoin('virtual_datacenters', 'virtual_datacenters.id', 'virtual_machines.virtual_datacenter_id')
    .innerJoin('datacenters', 'datacenters.id', 'virtual_datacenters.datacenter_id')
    .innerJoin('virtual_appliances', 'virtual_appliances.id', 'virtual_machines.virtual_appliance_id')
    .leftJoin('users', (join) => join.onRef('users.id', '=', 'virtual_machines.user_id').on(seesUser(caller)))
    .leftJoin('templates', (join) =>
      join
        .onRef('templates.id', '=', 'virtual_machines.template_id')
        .on(isStillShared(caller, 'virtual_machines.enterprise_id')),
    )
    .select([
      'virtual_machines.id',
      'virtual_machines.name',
      'virtual_machines.label',
      'virtual_machines.state',
      ...machineNotes.select,
      'virtual_machines.enterprise_id',
      'enterprises.name as enterprise_name',
      'virtual_machines.virtual_datacenter_id',
      'virtual_datacenters.name as virtual_datacenter_name',
      'virtual_datacenters.datacenter_id',
      'datacenters.name as datacenter_name',
      'virtual_machines.virtual_appliance_id',
      'virtual_appliances.name as virtual_appliance_name',
      'users.id as user_id',
      'users.nick as user_nick',
      'users.enterprise_id as user_enterprise_id',
      'templates.id as template_id',
      'templates.name as template_name',
      'templates.datacenter_id as template_datacenter_id',
      // A shared template also has an address below the machine's enterprise.
      sql<number>`case when ${seesEnterprise(caller, 'templates.enterprise_id')}
        then templates.enterprise_id else virtual_machines.enterprise_id end`.as('library_id'),
    ])

type MachineRow =
  ReturnType<typeof details> extends SelectQueryBuilder<infer _DB, infer _TB, infer Row> ? Row : never

type Nic = { id: number; ip: string; nic: number | null; virtual_machine_id: number | null }

const nicsOf = (db: Db, machines: number[]): Promise<Nic[]> =>
  db
    .selectFrom('private_ips')
    .where('virtual_machine_id', 'in', machines)
    .select(['id', 'ip', 'nic', 'virtual_machine_id'])
    .orderBy('nic')
    .orderBy('id')
    .execute()

export const machinePath = (
  row: Pick<Machine, 'id' | 'virtual_datacenter_id' | 'virtual_appliance_id'>,
): string =>
  pathOf(kinds.virtualmachine, {
    virtualdatacenter: row.virtual_datacenter_id,
    virtualappliance: row.virtual_appliance_id,
    id: row.id,
  })

function machineView(
  row: MachineRow,
  nics: readonly Nic[],
  natrules: NatRuleDocument[],
): VirtualMachineDocument {
  const center = pathOf(kinds.virtualdatacenter, { id: row.virtual_datacenter_id })
  const appliance = `${center}/virtualappliances/${row.virtual_appliance_id}`
  const path = machinePath(row)
  const library = `${pathOf(kinds.enterprise, { id: row.library_id })}/datacenterrepositories/${row.template_datacenter_id}`
  const template = `${library}/virtualmachinetemplates/${row.template_id}`
  const user = pathOf(kinds.user, { enterprise: row.user_enterprise_id, id: row.user_id })
  return {
    links: [
      link('edit', path, 'virtualmachine', row.name),
      linkTo(kinds.enterprise, { id: row.enterprise_id }, row.enterprise_name),
      ...linkIf(row.user_id, link('user', user, 'user', row.user_nick)),
      link('virtualdatacenter', center, 'virtualdatacenter', row.virtual_datacenter_name),
      link('location', pathOf(kinds.location, { id: row.datacenter_id }), 'datacenter', row.datacenter_name),
      link('virtualappliance', appliance, 'virtualappliance', row.virtual_appliance_name),
      ...linkIf(
        row.template_id,
        link('virtualmachinetemplate', template, 'virtualmachinetemplate', row.template_name),
      ),
      ...nics.map(({ id, nic, ip }) => link(`nic${nic ?? 0}`, `${center}/privateips/${id}`, 'privateip', ip)),
      link('natrules', `${path}/natrules`, 'natrules'),
    ],
    id: row.id,
    name: row.name,
    label: row.label,
    state: row.state as MachineState,
    ...machineNotes.read(row),
    natrules,
  }
}

/** The documents of these machines, in this order. The machines must be visible to the caller. */
export async function machineViews(
  { caller, db }: ReadContext,
  ids: readonly { id: number }[],
): Promise<VirtualMachineDocument[]> {
  const machines = ids.map(({ id }) => id)
  const rows = await details(db, caller, machines).execute()
  const nics = Map.groupBy(await nicsOf(db, machines), ({ virtual_machine_id }) => virtual_machine_id)
  const rules = await rulesOfMachines({ caller, db }, machines)
  return inOrderOf(ids, rows).map((row) => machineView(row, nics.get(row.id) ?? [], rules.get(row.id) ?? []))
}

export async function showMachine(
  machine: { id: number },
  context: ReadContext,
): Promise<VirtualMachineDocument> {
  const [view] = await machineViews(context, [machine])
  if (!view) throw new ApiError('VM-0')
  return view
}

export const machineTarget = {
  ids: { ...virtualApplianceTarget.ids, virtualmachine: 'VM-0' },
  find: findMachine,
  view: showMachine,
} as const

type NewMachine = Partial<Noted> & {
  name: string
  label?: string | undefined
  state?: MachineState
  virtualApplianceId: number
  virtualDatacenterId: number
  enterpriseId: number
  userId?: number | undefined
  templateId?: number | undefined
}

export async function insertVirtualMachine(trx: Trx, made: NewMachine): Promise<number> {
  return insertRow(trx, 'virtual_machines', {
    name: made.name,
    name_key: fold(made.name),
    label: made.label ?? made.name,
    state: made.state ?? 'ON',
    ...machineNotes.written(made),
    virtual_appliance_id: made.virtualApplianceId,
    virtual_datacenter_id: made.virtualDatacenterId,
    enterprise_id: made.enterpriseId,
    user_id: made.userId ?? null,
    template_id: made.templateId ?? null,
  })
}
