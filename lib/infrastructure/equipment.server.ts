import { sql } from 'kysely'
import type { ReadContext } from '#lib/auth/context.server'
import type { Db } from '#lib/db/db.server'
import { hasText, list } from '#lib/db/list.server'
import { ApiError } from '#lib/http/errors'
import { type Paging, pageLinks } from '#lib/http/paging'
import type { Listing } from '#lib/http/render.server'
import { link } from '#lib/http/view'
import type { RackDocument, RemoteServiceDocument } from '#lib/infrastructure/datacenters.schema'
import { findDatacenter } from '#lib/infrastructure/datacenters.server'

/* What stands in a datacenter and is only read: racks and remote services. */

const racksOf = (db: Db, datacenter: number) =>
  db
    .selectFrom('racks')
    .where('racks.datacenter_id', '=', datacenter)
    .select(['racks.id', 'racks.name', 'racks.short_description'])

type RackRow = { id: number; name: string; short_description: string }

const rackView =
  (datacenter: { id: number; name: string }) =>
  ({ id, name, short_description }: RackRow): RackDocument => {
    const place = `/admin/datacenters/${datacenter.id}`
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

/** The empty lists of storage tiers and private networks, which old clients read (docs/api.md, "Datacenters and locations"). */
export async function listNothing(
  asked: ReadContext & { params: { datacenter: number } },
  path: string,
  paging: Paging,
): Promise<Listing> {
  const { id } = await findDatacenter(asked, asked.params.datacenter)
  const links = pageLinks(`/admin/datacenters/${id}/${path}`, { ...paging, startwith: 0 }, 0)
  return { links, totalSize: 0, collection: [] }
}

export const rackOrders = ['name', 'id'] as const

export async function listRacks(
  asked: ReadContext,
  datacenter: number,
  paging: Paging<(typeof rackOrders)[number]>,
): Promise<Listing> {
  const place = await findDatacenter(asked, datacenter)
  return list({
    from: (db) => racksOf(db, datacenter).where(hasText('racks.name_key', paging.has)),
    orders: { name: ['racks.name_key'], id: [] },
    id: 'racks.id',
    paging,
    views: (rows) => rows.map(rackView(place)),
    path: `/admin/datacenters/${datacenter}/racks`,
  })
}

export async function readRack({
  caller,
  db,
  params,
}: ReadContext & { params: { datacenter: number; rack: number } }): Promise<RackDocument> {
  const place = await findDatacenter({ caller, db }, params.datacenter)
  const rack = await racksOf(db, place.id).where('racks.id', '=', params.rack).executeTakeFirst()
  if (!rack) throw new ApiError('RACK-0')
  return rackView(place)(rack)
}

const servicesOf = (db: Db, datacenter: number) =>
  db
    .selectFrom('remote_services')
    .where('datacenter_id', '=', datacenter)
    .select(['id', 'type', 'uri', 'status'])

type ServiceRow = { id: number; type: string; uri: string; status: number }

const serviceView =
  (datacenter: { id: number; name: string }) =>
  ({ id, type, uri, status }: ServiceRow): RemoteServiceDocument => {
    const place = `/admin/datacenters/${datacenter.id}`
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

export async function listRemoteServices(
  asked: ReadContext,
  datacenter: number,
  paging: Paging<(typeof remoteServiceOrders)[number]>,
): Promise<Listing> {
  const place = await findDatacenter(asked, datacenter)
  return list({
    from: (db) => servicesOf(db, datacenter).where(hasText(sql`lower(type)`, paging.has)),
    orders: { type: ['type'], id: [] },
    id: 'id',
    paging,
    views: (rows) => rows.map(serviceView(place)),
    path: `/admin/datacenters/${datacenter}/remoteservices`,
  })
}

type ServicePath = { datacenter: number; remoteservice: number }

export async function readRemoteService({
  caller,
  db,
  params,
}: ReadContext & { params: ServicePath }): Promise<RemoteServiceDocument> {
  const place = await findDatacenter({ caller, db }, params.datacenter)
  const service = await servicesOf(db, place.id).where('id', '=', params.remoteservice).executeTakeFirst()
  if (!service) throw new ApiError('REMOTESERVICE-0')
  return serviceView(place)(service)
}
