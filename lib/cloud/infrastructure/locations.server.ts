import type { ReadContext } from '#lib/caller/auth/context.server'
import { collectionOf, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import type { LocationDocument } from '#lib/cloud/infrastructure/datacenters.schema'
import { datacenterTarget, visibleDatacenters } from '#lib/cloud/infrastructure/datacenters.server'
import { namedList } from '#lib/db/list.server'
import type { NamePaging } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'

type LocationRow = { id: number; name: string; location: string }

/** A datacenter under `/cloud`, without the fields for administrators. */
const locationView = ({ id, name, location }: LocationRow): LocationDocument => {
  const path = pathOf(kinds.location, { id })
  return {
    links: [link('self', path, 'datacenter', name), link('devices', `${path}/devices`, 'devices')],
    id,
    name,
    location,
  }
}

export const locationTarget = { ...datacenterTarget, view: locationView }

export const listLocations = ({ caller }: ReadContext, paging: NamePaging): Promise<Listing> =>
  namedList({
    table: 'datacenters',
    from: (db) => visibleDatacenters(db, caller),
    paging,
    views: (rows) => rows.map(locationView),
    path: collectionOf(kinds.location),
  })
