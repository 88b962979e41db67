import type { ReadContext } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { columns } from '#lib/caller/kinds/columns.server'
import { collectionOf, linkTo, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesDatacenter, seesEnterprise } from '#lib/caller/scopes/visibility.server'
import {
  type VirtualDatacenterDocument,
  type VirtualDatacenterFields,
  type VirtualDatacenterQuery,
  virtualDatacenterFields,
} from '#lib/cloud/infrastructure/virtual-datacenters.schema'
import type { Db, Trx } from '#lib/db/db.server'
import { namedList } from '#lib/db/list.server'
import { insertRow } from '#lib/db/unique.server'
import { type Csv, fields, linked, noteColumns } from '#lib/ground/http/csv'
import { ApiError } from '#lib/ground/http/errors'
import type { Listing } from '#lib/ground/http/render.server'
import { link, linkIf } from '#lib/ground/http/view'

export const virtualDatacenterColumns = columns(kinds.virtualdatacenter, virtualDatacenterFields, {})

/** Visible to callers who see both the enterprise and the datacenter. */
const visibleVirtualDatacenters = (db: Db, caller: Caller) =>
  db
    .selectFrom('virtual_datacenters')
    .innerJoin('enterprises', 'enterprises.id', 'virtual_datacenters.enterprise_id')
    .innerJoin('datacenters', 'datacenters.id', 'virtual_datacenters.datacenter_id')
    .leftJoin('devices', 'devices.id', 'virtual_datacenters.device_id')
    .where(seesEnterprise(caller, 'virtual_datacenters.enterprise_id'))
    .where(seesDatacenter(caller, 'virtual_datacenters.datacenter_id'))
    .select([
      'virtual_datacenters.id',
      ...virtualDatacenterColumns.select,
      'virtual_datacenters.enterprise_id',
      'enterprises.name as enterprise_name',
      'virtual_datacenters.datacenter_id',
      'datacenters.name as datacenter_name',
      'virtual_datacenters.device_id',
      'devices.name as device_name',
    ])

export type VirtualDatacenter = Awaited<ReturnType<typeof findVirtualDatacenter>>

/** The virtual datacenter, if the caller sees it. Throws VDC-0. */
export async function findVirtualDatacenter({ caller, db }: ReadContext, id: number) {
  const found = await visibleVirtualDatacenters(db, caller)
    .where('virtual_datacenters.id', '=', id)
    .executeTakeFirst()
  if (!found) throw new ApiError('VDC-0')
  return found
}

export const virtualDatacenterView = (row: VirtualDatacenter): VirtualDatacenterDocument => {
  const path = pathOf(kinds.virtualdatacenter, { id: row.id })
  const location = pathOf(kinds.location, { id: row.datacenter_id })
  return {
    links: [
      link('edit', path, 'virtualdatacenter', row.name),
      linkTo(kinds.enterprise, { id: row.enterprise_id }, row.enterprise_name),
      link('location', location, 'datacenter', row.datacenter_name),
      ...linkIf(
        row.device_id,
        link('device', `${location}/devices/${row.device_id}`, 'device', row.device_name),
      ),
      link('natips', `${path}/natips`, 'natips'),
      link('topurchase', `${path}/natips/topurchase`, 'natips'),
      link('purchased', `${path}/natips/purchased`, 'natips'),
      link('virtualappliances', `${path}/virtualappliances`, 'virtualappliances'),
      link('privateips', `${path}/privateips`, 'privateips'),
    ],
    id: row.id,
    ...virtualDatacenterColumns.read(row),
  }
}

export const virtualDatacenterTarget = {
  ids: { virtualdatacenter: 'VDC-0' },
  find: (context: ReadContext, path: { virtualdatacenter: number }) =>
    findVirtualDatacenter(context, path.virtualdatacenter),
  view: virtualDatacenterView,
} as const

/** A filter by an invisible resource finds nothing, like a filter by one that does not exist. */
export const listVirtualDatacenters = (
  { caller }: ReadContext,
  paging: VirtualDatacenterQuery,
): Promise<Listing> => {
  const { enterprise, datacenter, device } = paging
  return namedList({
    table: 'virtual_datacenters',
    from: (db) =>
      visibleVirtualDatacenters(db, caller)
        .$if(enterprise !== undefined, (rows) =>
          rows.where('virtual_datacenters.enterprise_id', '=', enterprise ?? 0),
        )
        .$if(datacenter !== undefined, (rows) =>
          rows.where('virtual_datacenters.datacenter_id', '=', datacenter ?? 0),
        )
        .$if(device !== undefined, (rows) => rows.where('virtual_datacenters.device_id', '=', device ?? 0)),
    paging,
    views: (rows) => rows.map(virtualDatacenterView),
    path: collectionOf(kinds.virtualdatacenter),
  })
}

export const virtualDatacenterCsv: Csv<VirtualDatacenterDocument> = {
  filename: 'virtual-datacenters',
  columns: [
    ...fields<VirtualDatacenterDocument>('id', 'name'),
    ...linked('enterprise'),
    ...linked('datacenter', 'location'),
    ...linked('device'),
    ...noteColumns,
  ],
}

type NewVirtualDatacenter = Partial<VirtualDatacenterFields> & {
  name: string
  enterpriseId: number
  datacenterId: number
  deviceId?: number | undefined
}

export async function insertVirtualDatacenter(trx: Trx, made: NewVirtualDatacenter): Promise<number> {
  return insertRow(trx, 'virtual_datacenters', {
    ...virtualDatacenterColumns.written(made),
    enterprise_id: made.enterpriseId,
    datacenter_id: made.datacenterId,
    device_id: made.deviceId ?? null,
  })
}
