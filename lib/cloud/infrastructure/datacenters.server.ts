import type { Change, Creation, ReadContext } from '#lib/caller/auth/context.server'
import { columns } from '#lib/caller/kinds/columns.server'
import { collectionOf, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { addToOwnScope, removeFromScopes } from '#lib/caller/scopes/entities.server'
import { seesDatacenter, type Visibility, visibilityOf } from '#lib/caller/scopes/visibility.server'
import {
  type DatacenterDocument,
  type DatacenterInput,
  datacenterFields,
} from '#lib/cloud/infrastructure/datacenters.schema'
import type { Db } from '#lib/db/db.server'
import { namedList } from '#lib/db/list.server'
import { isReferenced } from '#lib/db/references.server'
import { statement } from '#lib/db/statements.server'
import { insertRow, unlessTaken } from '#lib/db/unique.server'
import { type Csv, fields, noteColumns } from '#lib/ground/http/csv'
import { ApiError } from '#lib/ground/http/errors'
import type { ChangedPaging } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'

const datacenterColumns = columns(kinds.datacenter, datacenterFields, {})

export const visibleDatacenters = (db: Db, caller: Visibility) =>
  db
    .selectFrom('datacenters')
    .where(seesDatacenter(caller, 'datacenters.id'))
    .select(['datacenters.id', ...datacenterColumns.select])

const visibleDatacenter = statement(
  'datacenter',
  (db, { id, visibility }: { id: number; visibility: Visibility }) =>
    visibleDatacenters(db, visibility).where('datacenters.id', '=', id),
)

export type DatacenterRow = Awaited<ReturnType<typeof findDatacenter>>

/** The datacenter, if the caller sees it. Throws DC-0. */
export async function findDatacenter({ caller, db }: ReadContext, id: number) {
  const [datacenter] = await visibleDatacenter(db, { id, visibility: visibilityOf(caller) })
  if (!datacenter) throw new ApiError('DC-0')
  return datacenter
}

const datacenterView = (row: DatacenterRow): DatacenterDocument => {
  const { id, name } = row
  const path = pathOf(kinds.datacenter, { id })
  return {
    links: [
      link('edit', path, 'datacenter', name),
      link('racks', `${path}/racks`, 'racks'),
      link('remoteServices', `${path}/remoteservices`, 'remoteservices'),
      link('tiers', `${path}/storage/tiers`, 'tiers'),
      link('network', `${path}/network`, 'vlans'),
      link('devices', collectionOf(kinds.device, { datacenter: id }), 'devices'),
      link('natnetworks', `${path}/natnetworks`, 'natnetworks'),
      link('location', pathOf(kinds.location, { id }), 'datacenter', name),
    ],
    id,
    ...datacenterColumns.read(row),
  }
}

export const datacenterTarget = {
  ids: { datacenter: 'DC-0' },
  find: (context: ReadContext, { datacenter }: { datacenter: number }) => findDatacenter(context, datacenter),
  view: datacenterView,
} as const

export const datacenterCsv: Csv<DatacenterDocument> = {
  filename: 'datacenters',
  columns: [...fields<DatacenterDocument>('id', 'name', 'location'), ...noteColumns],
}

export const listDatacenters = ({ caller }: ReadContext, paging: ChangedPaging): Promise<Listing> =>
  namedList({
    table: 'datacenters',
    from: (db, { visibility }) => visibleDatacenters(db, visibility),
    once: { name: 'datacenters', values: { visibility: visibilityOf(caller) } },
    paging,
    views: (rows) => rows.map(datacenterView),
    path: collectionOf(kinds.datacenter),
  })

export async function createDatacenter({ caller, db, body }: Creation<DatacenterInput>) {
  const row = datacenterColumns.written(body)
  const id = await unlessTaken('datacenters', 'DC-3', insertRow(db, 'datacenters', row))
  await addToOwnScope({ caller, db }, { datacenter: id })
  return datacenterView(await findDatacenter({ caller, db }, id))
}

export async function updateDatacenter({ db, found, body }: Change<DatacenterRow, DatacenterInput>) {
  await unlessTaken(
    'datacenters',
    'DC-3',
    db.updateTable('datacenters').set(datacenterColumns.written(body)).where('id', '=', found.id).execute(),
  )
}

/** Throws DC-5 while the datacenter has devices, NAT networks, virtual datacenters or templates. Removes its racks and services. */
export async function removeDatacenter({ db, found: { id } }: Change<DatacenterRow>): Promise<void> {
  const tables = ['devices', 'nat_networks', 'virtual_datacenters', 'templates'] as const
  if (await isReferenced(db, { column: 'datacenter_id', id }, tables)) throw new ApiError('DC-5')
  await removeFromScopes(db, 'datacenter_id', id)
  for (const table of ['racks', 'remote_services'] as const) {
    await db.deleteFrom(table).where('datacenter_id', '=', id).execute()
  }
  await db.deleteFrom('datacenters').where('id', '=', id).execute()
}
