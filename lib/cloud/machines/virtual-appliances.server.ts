import type { Change, Listed, ReadContext } from '#lib/caller/auth/context.server'
import { columns } from '#lib/caller/kinds/columns.server'
import { collectionOf, linkTo, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import {
  findVirtualDatacenter,
  type VirtualDatacenter,
} from '#lib/cloud/infrastructure/virtual-datacenters.server'
import {
  type VirtualApplianceDocument,
  type VirtualApplianceFields,
  type VirtualApplianceInput,
  virtualApplianceFields,
} from '#lib/cloud/machines/virtual-appliances.schema'
import type { Trx } from '#lib/db/db.server'
import { namedList } from '#lib/db/list.server'
import { isReferenced } from '#lib/db/references.server'
import { insertRow } from '#lib/db/unique.server'
import { type Csv, fields, linked, noteColumns } from '#lib/ground/http/csv'
import { ApiError } from '#lib/ground/http/errors'
import type { ChangedPaging } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'

export type AppliancePath = { virtualdatacenter: number; virtualappliance: number }

const applianceColumns = columns(kinds.virtualappliance, virtualApplianceFields, {})

/** The appliance with its virtual datacenter, if the caller sees that. Throws VDC-0, VAPP-0. */
export async function findVirtualAppliance(
  context: ReadContext,
  { virtualdatacenter, virtualappliance }: AppliancePath,
) {
  const center = await findVirtualDatacenter(context, virtualdatacenter)
  const found = await context.db
    .selectFrom('virtual_appliances')
    .where('id', '=', virtualappliance)
    .where('virtual_datacenter_id', '=', center.id)
    .select(['virtual_appliances.id', ...applianceColumns.select])
    .executeTakeFirstOrThrow(() => new ApiError('VAPP-0'))
  return { ...found, center }
}

export type VirtualAppliance = Awaited<ReturnType<typeof findVirtualAppliance>>

function virtualApplianceView({ center, ...row }: VirtualAppliance): VirtualApplianceDocument {
  const { id, name } = row
  const place = pathOf(kinds.virtualdatacenter, { id: center.id })
  const path = `${place}/virtualappliances/${id}`
  return {
    links: [
      link('edit', path, 'virtualappliance', name),
      link('virtualdatacenter', place, 'virtualdatacenter', center.name),
      linkTo(kinds.enterprise, { id: center.enterprise_id }, center.enterprise_name),
      link(
        'location',
        pathOf(kinds.location, { id: center.datacenter_id }),
        'datacenter',
        center.datacenter_name,
      ),
      link('virtualmachines', `${path}/virtualmachines`, 'virtualmachines'),
    ],
    id,
    ...applianceColumns.read(row),
  }
}

export const virtualApplianceTarget = {
  ids: { virtualdatacenter: 'VDC-0', virtualappliance: 'VAPP-0' },
  find: findVirtualAppliance,
  view: virtualApplianceView,
} as const

export const listVirtualAppliances = ({
  found: center,
  query: paging,
}: Listed<VirtualDatacenter, ChangedPaging>): Promise<Listing> =>
  namedList({
    table: 'virtual_appliances',
    from: (db) =>
      db
        .selectFrom('virtual_appliances')
        .where('virtual_datacenter_id', '=', center.id)
        .select(['virtual_appliances.id', ...applianceColumns.select]),
    paging,
    views: (rows) => rows.map((row) => virtualApplianceView({ ...row, center })),
    path: collectionOf(kinds.virtualappliance, { virtualdatacenter: center.id }),
  })

export const virtualApplianceCsv: Csv<VirtualApplianceDocument> = {
  filename: 'virtual-appliances',
  columns: [
    ...fields<VirtualApplianceDocument>('id', 'name'),
    ...linked('virtualDatacenter'),
    ...linked('enterprise'),
    ...linked('datacenter', 'location'),
    ...noteColumns,
  ],
}

export async function insertVirtualAppliance(
  trx: Trx,
  virtualDatacenterId: number,
  fields: Partial<VirtualApplianceFields> & { name: string },
): Promise<number> {
  return insertRow(trx, 'virtual_appliances', {
    virtual_datacenter_id: virtualDatacenterId,
    ...applianceColumns.written(fields),
  })
}

export async function createVirtualAppliance({
  found: center,
  body,
  ...context
}: Change<VirtualDatacenter, VirtualApplianceInput>): Promise<VirtualApplianceDocument> {
  const virtualappliance = await insertVirtualAppliance(context.db, center.id, body)
  return virtualApplianceView(
    await findVirtualAppliance(context, { virtualdatacenter: center.id, virtualappliance }),
  )
}

export async function updateVirtualAppliance({
  db,
  found,
  body,
}: Change<VirtualAppliance, VirtualApplianceInput>): Promise<void> {
  await db
    .updateTable('virtual_appliances')
    .set(applianceColumns.written(body))
    .where('id', '=', found.id)
    .execute()
}

/** Throws VAPP-1 while the appliance has machines. */
export async function removeVirtualAppliance({ db, found: { id } }: Change<VirtualAppliance>): Promise<void> {
  if (await isReferenced(db, { column: 'virtual_appliance_id', id }, ['virtual_machines']))
    throw new ApiError('VAPP-1')
  await db.deleteFrom('virtual_appliances').where('id', '=', id).execute()
}
