import type { ReadContext } from '#lib/auth/context.server'
import { namedList } from '#lib/db/list.server'
import type { NamePaging } from '#lib/http/paging'
import type { Listing } from '#lib/http/render.server'
import { link } from '#lib/http/view'
import type { LocationDocument } from '#lib/infrastructure/datacenters.schema'
import { datacenterTarget, visibleDatacenters } from '#lib/infrastructure/datacenters.server'
import { collectionOf, pathOf } from '#lib/kinds/kind'
import { kinds } from '#lib/kinds/kinds'

type LocationRow = { id: number; name: string; location: string }

/** A datacenter under `/cloud`, without what administrators see. */
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
