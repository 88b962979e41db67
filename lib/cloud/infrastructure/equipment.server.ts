import { type Insertable, sql } from 'kysely'
import type { Listed, ReadContext } from '#lib/caller/auth/context.server'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import type { RackDocument, RemoteServiceDocument } from '#lib/cloud/infrastructure/datacenters.schema'
import { type DatacenterRow, findDatacenter } from '#lib/cloud/infrastructure/datacenters.server'
import type { Db, Trx } from '#lib/db/db.server'
import { hasText, list, namedList } from '#lib/db/list.server'
import type { Tables } from '#lib/db/tables.server'
import { ApiError } from '#lib/ground/http/errors'
import { type ChangedPaging, type Paging, pageLinks } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'

/* The read-only equipment of a datacenter: racks and remote services. */

/** Restores the parts that were deleted with their datacenter. */
export const insertEquipment = (
  trx: Trx,
  table: 'racks' | 'remote_services',
  row: object,
): Promise<unknown> =>
  trx
    .insertInto(table as 'racks')
    .values(row as Insertable<Tables['racks']>)
    .execute()

const racksOf = (db: Db, datacenter: number) =>
  db
    .selectFrom('racks')
    .where('racks.datacenter_id', '=', datacenter)
    .select(['racks.id', 'racks.name', 'racks.short_description'])

type InDatacenter = { datacenter: { id: number; name: string } }
type RackRow = InDatacenter & { id: number; name: string; short_description: string }

function rackView({ id, name, short_description, datacenter }: RackRow): RackDocument {
  const place = pathOf(kinds.datacenter, { id: datacenter.id })
  return {
    links: [
      link('edit', `${place}/racks/${id}`, 'rack', name),
      link('datacenter', place, 'datacenter', datacenter.name),
    ],
    id,
    name,
    shortDescription: short_description,
  }
}

/** The empty lists of storage tiers and private networks, which old clients read (docs/api/datacenters.md, "Datacenters and locations"). */
export async function listNothing(
  { found: { id }, query: paging }: Listed<DatacenterRow, Paging>,
  path: string,
): Promise<Listing> {
  const links = pageLinks(`${pathOf(kinds.datacenter, { id })}/${path}`, { ...paging, startwith: 0 }, 0)
  return { links, totalSize: 0, collection: [] }
}

export const listRacks = ({ found: datacenter, query: paging }: Listed<DatacenterRow, ChangedPaging>) =>
  namedList({
    table: 'racks',
    from: (db) => racksOf(db, datacenter.id),
    paging,
    views: (rows) => rows.map((row) => rackView({ ...row, datacenter })),
    path: `${pathOf(kinds.datacenter, { id: datacenter.id })}/racks`,
  })

async function findRack(
  context: ReadContext,
  { datacenter, rack: id }: { datacenter: number; rack: number },
) {
  const place = await findDatacenter(context, datacenter)
  const rack = await racksOf(context.db, place.id).where('racks.id', '=', id).executeTakeFirst()
  if (!rack) throw new ApiError('RACK-0')
  return { ...rack, datacenter: place }
}

export const rackTarget = {
  ids: { datacenter: 'DC-0', rack: 'RACK-0' },
  find: findRack,
  view: rackView,
} as const

const servicesOf = (db: Db, datacenter: number) =>
  db
    .selectFrom('remote_services')
    .where('datacenter_id', '=', datacenter)
    .select(['remote_services.id', 'type', 'uri', 'status'])

type ServiceRow = InDatacenter & { id: number; type: string; uri: string; status: number }

function serviceView({ id, type, uri, status, datacenter }: ServiceRow): RemoteServiceDocument {
  const place = pathOf(kinds.datacenter, { id: datacenter.id })
  return {
    links: [
      link('edit', `${place}/remoteservices/${id}`, 'remoteservice', type),
      link('datacenter', place, 'datacenter', datacenter.name),
    ],
    id,
    type,
    uri,
    status,
  }
}

export const remoteServiceOrders = ['type', 'id'] as const

export const listRemoteServices = ({
  found: datacenter,
  query: paging,
}: Listed<
  DatacenterRow,
  Paging<(typeof remoteServiceOrders)[number]> & Pick<ChangedPaging, 'changed'>
>): Promise<Listing> =>
  list({
    from: (db) => servicesOf(db, datacenter.id).where(hasText(sql`lower(type)`, paging.has)),
    orders: { type: ['type'], id: [] },
    id: 'remote_services.id',
    paging,
    views: (rows) => rows.map((row) => serviceView({ ...row, datacenter })),
    path: `${pathOf(kinds.datacenter, { id: datacenter.id })}/remoteservices`,
  })

type ServicePath = { datacenter: number; remoteservice: number }

async function findRemoteService(context: ReadContext, { datacenter, remoteservice }: ServicePath) {
  const place = await findDatacenter(context, datacenter)
  const service = await servicesOf(context.db, place.id).where('id', '=', remoteservice).executeTakeFirst()
  if (!service) throw new ApiError('REMOTESERVICE-0')
  return { ...service, datacenter: place }
}

export const remoteServiceTarget = {
  ids: { datacenter: 'DC-0', remoteservice: 'REMOTESERVICE-0' },
  find: findRemoteService,
  view: serviceView,
} as const
