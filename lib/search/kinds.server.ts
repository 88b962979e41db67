import type { ReadContext } from '#lib/auth/context.server'
import { idOfLink, linkOf } from '#lib/http/view'
import { ipViews } from '#lib/nat/ip-views.server'
import { seesDatacenter, seesEnterprise, seesRole, seesScope } from '#lib/scopes/visibility.server'
import { addressRanges } from '#lib/search/address-ranges'
import { byName, type Wanted } from '#lib/search/by-name.server'
import type { SearchType } from '#lib/search/search.schema'

/** A hit: its path, and a detail that distinguishes hits with similar names. */
export type Found = {
  id: number
  name: string
  path: string
  detail?: string | null
  datacenter?: number | undefined
  enterprise?: number | null | undefined
  /** The NAT network of an address. */
  network?: { path: string; name: string }
}

/** Finds the visible items of one kind; the caller's privilege to list it is checked before. */
type Find = (context: ReadContext, wanted: Wanted) => Promise<Found[]>

const scopes: Find = async ({ caller, db }, wanted) => {
  const rows = db
    .selectFrom('scopes')
    .leftJoin('scopes as parents', (join) =>
      join.onRef('parents.id', '=', 'scopes.parent_id').on(seesScope(caller, 'parents.id')),
    )
    .where(seesScope(caller, 'scopes.id'))
    .select(['scopes.id', 'scopes.name', 'parents.name as detail'])
  const found = await byName(rows, { key: 'scopes.name_key', id: 'scopes.id' }, wanted)
  return found.map((row) => ({ ...row, path: `/admin/scopes/${row.id}` }))
}

const enterprises: Find = async ({ caller, db }, wanted) => {
  const rows = db
    .selectFrom('enterprises')
    .where(seesEnterprise(caller, 'enterprises.id'))
    .select(['enterprises.id', 'enterprises.name'])
  const found = await byName(rows, { key: 'enterprises.name_key', id: 'enterprises.id' }, wanted)
  return found.map((row) => ({ ...row, path: `/admin/enterprises/${row.id}`, enterprise: row.id }))
}

const datacenters: Find = async ({ caller, db }, wanted) => {
  const rows = db
    .selectFrom('datacenters')
    .where(seesDatacenter(caller, 'datacenters.id'))
    .select(['datacenters.id', 'datacenters.name', 'datacenters.location as detail'])
  const found = await byName(rows, { key: 'datacenters.name_key', id: 'datacenters.id' }, wanted)
  return found.map((row) => ({ ...row, path: `/admin/datacenters/${row.id}`, datacenter: row.id }))
}

const natNetworks: Find = async ({ caller, db }, wanted) => {
  const rows = db
    .selectFrom('nat_networks')
    .where(seesDatacenter(caller, 'nat_networks.datacenter_id'))
    .select(['nat_networks.id', 'nat_networks.name', 'nat_networks.cidr as detail'])
    .select('nat_networks.datacenter_id as datacenter')
  const columns = {
    key: 'nat_networks.name_key',
    alike: ['nat_networks.cidr'],
    within: ['nat_networks.name_key', 'nat_networks.cidr'],
    id: 'nat_networks.id',
  }
  const found = await byName(rows, columns, wanted)
  return found.map((row) => ({
    ...row,
    path: `/admin/datacenters/${row.datacenter}/natnetworks/${row.id}`,
  }))
}

/** By address only, with an index: a scan of a million texts would be too slow. */
const natIps: Find = async (context, { text, limit }) => {
  const { caller, db } = context
  const ids: { id: number }[] = []
  for (const { first, last } of addressRanges(text)) {
    if (ids.length === limit) break
    const rows = await db
      .selectFrom('nat_ips')
      .where('ip_key', '>=', first)
      .where('ip_key', '<=', last)
      .where(seesDatacenter(caller, 'datacenter_id'))
      .select('id')
      .orderBy('ip_key')
      .orderBy('datacenter_id')
      .orderBy('id')
      .limit(limit - ids.length)
      .execute()
    ids.push(...rows)
  }
  const views = ids.length === 0 ? [] : await ipViews(context, ids)
  return views.map((view) => {
    const datacenter = idOfLink(linkOf(view, 'datacenter'))
    const network = { path: linkOf(view, 'natnetwork')?.href ?? '', name: view.networkName }
    return {
      id: view.id,
      name: view.ip,
      detail: view.networkName,
      path: `${network.path}/ips/${view.id}`,
      network,
      datacenter,
      enterprise: idOfLink(linkOf(view, 'enterprise')),
    }
  })
}

const users: Find = async ({ caller, db }, wanted) => {
  const rows = db
    .selectFrom('users')
    .where(seesEnterprise(caller, 'users.enterprise_id'))
    .select(['users.id', 'users.nick as name', 'users.enterprise_id as enterprise'])
    .select(['users.name as given', 'users.surname'])
  const columns = {
    key: 'users.nick_key',
    alike: ['users.name_key'],
    within: ['users.search_key'],
    id: 'users.id',
  }
  const found = await byName(rows, columns, wanted)
  return found.map(({ given, surname, ...row }) => ({
    ...row,
    detail: `${given} ${surname}`.trim(),
    path: `/admin/enterprises/${row.enterprise}/users/${row.id}`,
  }))
}

const roles: Find = async ({ caller, db }, wanted) => {
  const rows = db
    .selectFrom('roles')
    .leftJoin('enterprises', 'enterprises.id', 'roles.enterprise_id')
    .where(seesRole(caller))
    .select(['roles.id', 'roles.name', 'roles.enterprise_id as enterprise', 'enterprises.name as detail'])
  const found = await byName(rows, { key: 'roles.name_key', id: 'roles.id' }, wanted)
  return found.map((row) => ({ ...row, path: `/admin/roles/${row.id}` }))
}

const devices: Find = async ({ caller, db }, wanted) => {
  const rows = db
    .selectFrom('devices')
    .innerJoin('datacenters', 'datacenters.id', 'devices.datacenter_id')
    .where(seesDatacenter(caller, 'devices.datacenter_id'))
    .select(['devices.id', 'devices.name', 'devices.datacenter_id as datacenter'])
    .select('datacenters.name as detail')
  const found = await byName(rows, { key: 'devices.name_key', id: 'devices.id' }, wanted)
  return found.map((row) => ({ ...row, path: `/cloud/locations/${row.datacenter}/devices/${row.id}` }))
}

const virtualDatacenters: Find = async ({ caller, db }, wanted) => {
  const rows = db
    .selectFrom('virtual_datacenters')
    .innerJoin('enterprises', 'enterprises.id', 'virtual_datacenters.enterprise_id')
    .where(seesEnterprise(caller, 'virtual_datacenters.enterprise_id'))
    .where(seesDatacenter(caller, 'virtual_datacenters.datacenter_id'))
    .select(['virtual_datacenters.id', 'virtual_datacenters.name', 'enterprises.name as detail'])
    .select('virtual_datacenters.enterprise_id as enterprise')
    .select('virtual_datacenters.datacenter_id as datacenter')
  const columns = { key: 'virtual_datacenters.name_key', id: 'virtual_datacenters.id' }
  const found = await byName(rows, columns, wanted)
  return found.map((row) => ({ ...row, path: `/cloud/virtualdatacenters/${row.id}` }))
}

export const kinds: Record<SearchType, Find> = {
  scope: scopes,
  enterprise: enterprises,
  datacenter: datacenters,
  natnetwork: natNetworks,
  natip: natIps,
  user: users,
  role: roles,
  device: devices,
  virtualdatacenter: virtualDatacenters,
}
