import { type SqlBool, sql, type Updateable } from 'kysely'
import type { Change, ReadContext, Referring, WriteContext } from '#lib/caller/auth/context.server'
import { columns } from '#lib/caller/kinds/columns.server'
import { collectionOf, linkTo, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { noted } from '#lib/caller/kinds/notes.schema'
import { seesDatacenter, type Visibility, visibilityOf } from '#lib/caller/scopes/visibility.server'
import { findDatacenter, visibleDatacenters } from '#lib/cloud/infrastructure/datacenters.server'
import { findDevice } from '#lib/cloud/infrastructure/devices.server'
import { assignableIps, shownAssignable } from '#lib/cloud/nat/assignable.server'
import { type NatScope, natScopeOf, noCounts } from '#lib/cloud/nat/counts.server'
import type { NatNetworkDocument, NatNetworkInput } from '#lib/cloud/nat/networks.schema'
import { keepUseOfMoved } from '#lib/cloud/nat/use-days.server'
import type { Db, Trx } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { statement } from '#lib/db/statements.server'
import type { Tables } from '#lib/db/tables.server'
import { insertRow, unlessTaken } from '#lib/db/unique.server'
import { ApiError, about, fault } from '#lib/ground/http/errors'
import { link } from '#lib/ground/http/view'
import { addressKey, parseCidr } from '#lib/ground/net/addresses'

export const rulesOfNetwork = sql<number>`(nat_counts.snat_rules + nat_counts.dnat_rules)`

export const networkNotes = columns(kinds.natnetwork, noted, {})

export const networkRows = (db: Db) =>
  db
    .selectFrom('nat_networks')
    .innerJoin('nat_counts', 'nat_counts.nat_network_id', 'nat_networks.id')
    .innerJoin('datacenters', 'datacenters.id', 'nat_networks.datacenter_id')
    .innerJoin('devices', 'devices.id', 'nat_networks.device_id')
    .select([
      'nat_networks.id',
      'nat_networks.name',
      'nat_networks.cidr',
      ...networkNotes.select,
      'nat_networks.datacenter_id',
      'datacenters.name as datacenter_name',
      'nat_networks.device_id',
      'devices.name as device_name',
      'nat_counts.ips',
      'nat_counts.used_ips',
      rulesOfNetwork.as('rules'),
      assignableIps.as('assignable'),
    ])

const visibleNetwork = statement(
  'NAT network',
  (db, { datacenter, id, visibility }: { datacenter: number; id: number; visibility: Visibility }) =>
    networkRows(db)
      .where('nat_networks.datacenter_id', '=', datacenter)
      .where('nat_networks.id', '=', id)
      .where(seesDatacenter(visibility, 'nat_networks.datacenter_id')),
)

export type NetworkRow = Awaited<ReturnType<typeof findNetwork>>

/** Throws DC-0 for a datacenter that the caller does not see, NAT-NET-1. */
export async function findNetwork({ caller, db }: ReadContext, datacenter: number, id: number) {
  const [network] = await visibleNetwork(db, { datacenter, id, visibility: visibilityOf(caller) })
  if (network) return network
  await findDatacenter({ caller, db }, datacenter)
  throw new ApiError('NAT-NET-1')
}

/** The path of a list: of a NAT network, of a datacenter, or without either of all visible datacenters. */
export type PlacePath = { datacenter?: number | undefined; natnetwork?: number | undefined }

/** The path below {api} of a list of a network, of a datacenter, or of all. */
export function listPath(
  { datacenter, natnetwork }: PlacePath,
  names: { ofNetwork: string; ofAll: string },
): string {
  const networks =
    datacenter === undefined ? '/admin/natnetworks' : collectionOf(kinds.natnetwork, { datacenter })
  return natnetwork === undefined
    ? `${networks}/action/${names.ofAll}`
    : `${networks}/${natnetwork}/${names.ofNetwork}`
}

/** Filters by place. A datacenter that the caller does not see contains nothing. */
export type PlaceFilters = { datacenter?: number | undefined; network?: number | undefined }

/** The place of the path, limited by the filters, if the caller sees it. Throws DC-0, NAT-NET-1. */
export async function requirePlace(
  context: ReadContext,
  { datacenter, natnetwork }: PlacePath,
  { datacenter: only, network = natnetwork }: PlaceFilters,
): Promise<NatScope> {
  if (datacenter === undefined) return placeAcross(context, { datacenter: only, network })
  if (network === undefined) await findDatacenter(context, datacenter)
  else await findNetwork(context, datacenter, network)
  return natScopeOf([{ id: datacenter }], network)
}

type Seen = PlaceFilters & { visibility: Visibility }

const seenDatacenters = statement('datacenters of a list', (db, { datacenter, visibility }: Seen) =>
  visibleDatacenters(db, visibility)
    .$if(datacenter !== undefined, (rows) => rows.where('datacenters.id', '=', datacenter ?? 0))
    .orderBy('datacenters.id'),
)

const datacenterOfNetwork = statement('datacenter of a network', (db, { network, visibility }: Seen) =>
  db
    .selectFrom('nat_networks')
    .where('id', '=', network ?? 0)
    .where(seesDatacenter(visibility, 'datacenter_id'))
    .select('datacenter_id as id'),
)

/** All visible datacenters that match the filters, or the network. Throws NAT-NET-1. */
async function placeAcross(
  { caller, db }: ReadContext,
  { datacenter, network }: PlaceFilters,
): Promise<NatScope> {
  const visibility = visibilityOf(caller)
  if (network === undefined) return natScopeOf(await seenDatacenters(db, { datacenter, visibility }))
  const [home] = await datacenterOfNetwork(db, { network, visibility })
  if (!home) throw new ApiError(fault('NAT-NET-1', undefined, 'network'))
  return datacenter === undefined || datacenter === home.id ? natScopeOf([home], network) : natScopeOf([])
}

export const networkView = (row: NetworkRow): NatNetworkDocument => {
  const datacenter = pathOf(kinds.datacenter, { id: row.datacenter_id })
  const path = `${datacenter}/natnetworks/${row.id}`
  return {
    links: [
      link('edit', path, 'natnetwork', row.name),
      link('datacenter', datacenter, 'datacenter', row.datacenter_name),
      linkTo(kinds.device, { datacenter: row.datacenter_id, id: row.device_id }, row.device_name),
      link('ips', `${path}/ips`, 'natips'),
      link('rules', `${path}/rules`, 'natrules'),
    ],
    id: row.id,
    name: row.name,
    cidr: row.cidr,
    ...networkNotes.read(row),
    ips: row.ips,
    usedIps: row.used_ips,
    rules: Number(row.rules),
    ...shownAssignable(row.assignable),
  }
}

type NetworkPath = { datacenter: number; natnetwork: number }

export const networkTarget = {
  ids: { datacenter: 'DC-0', natnetwork: 'NAT-NET-1' },
  find: (context: ReadContext, { datacenter, natnetwork }: NetworkPath) =>
    findNetwork(context, datacenter, natnetwork),
  view: networkView,
} as const

/** The device that the document links. Throws NETDEVICE-1. */
export async function networkReferences(
  { db, params }: { db: Db; params: { datacenter: number } },
  { links }: Partial<NatNetworkInput>,
) {
  return links?.device === undefined
    ? undefined
    : about('device', findDevice(db, params.datacenter, links.device))
}

type Naming = Referring<typeof networkReferences>

/** The id of a device whose type supports NAT. Throws NAT-NET-3, NAT-NET-2. */
function requireNatDevice(device: Naming['references']): number {
  if (!device) throw new ApiError('NAT-NET-3')
  if (device.nat !== 1) throw new ApiError('NAT-NET-2')
  return device.id
}

type Range = { first_key: string; last_key: string }

/** Throws NAT-NET-5. */
export function rangeOf(text: string): Range & { prefix: number } {
  const cidr = parseCidr(text)
  if (!cidr) throw new ApiError('NAT-NET-5')
  const { version, first, last, prefix } = cidr
  return { prefix, first_key: addressKey(version, first), last_key: addressKey(version, last) }
}

/** True if the network and the range share an address. */
const overlaps = ({ first_key, last_key }: Range) =>
  sql<SqlBool>`nat_networks.first_key <= ${last_key} and nat_networks.last_key >= ${first_key}`

/** Throws NAT-NET-6 with the name of the overlapping network of the same device. */
/** `self`: the network that changes, which may overlap its former range. */
async function requireNoOverlap(
  db: Trx,
  { device, self }: { device: number; self?: number },
  range: Range,
): Promise<void> {
  const other = await db
    .selectFrom('nat_networks')
    .where('device_id', '=', device)
    .where(overlaps(range))
    .$if(self !== undefined, (query) => query.where('id', '<>', self ?? 0))
    .select(['name', 'cidr'])
    .executeTakeFirst()
  if (other) {
    throw new ApiError(
      fault(
        'NAT-NET-6',
        `The CIDR overlaps the NAT network ${other.name} (${other.cidr}) of the same device`,
      ),
    )
  }
}

/** The columns of the fields. */
const written = ({ name, cidr, ...notes }: NatNetworkInput) => ({
  name,
  name_key: fold(name),
  cidr,
  ...rangeOf(cidr),
  ...networkNotes.written(notes),
})

type Creating = WriteContext & Naming & { found: { id: number }; body: NatNetworkInput }

export async function createNetwork({
  caller,
  db,
  found: { id: datacenter_id },
  body,
  references,
}: Creating) {
  const device_id = requireNatDevice(references)
  const row = { datacenter_id, device_id, ...written(body) }
  await requireNoOverlap(db, { device: device_id }, row)
  const id = await unlessTaken('nat_networks', 'NAT-NET-0', insertRow(db, 'nat_networks', row))
  await db
    .insertInto('nat_counts')
    .values({ nat_network_id: id, datacenter_id, ...noCounts })
    .execute()
  return networkView(await findNetwork({ caller, db }, datacenter_id, id))
}

type Renewed = { id: number; row: Updateable<Tables['nat_networks']> }

const renewedNetwork = statement('changed NAT network', (db, { id, row }: Renewed) =>
  db.updateTable('nat_networks').set(row).where('id', '=', id),
)

/** The name may always change. The CIDR and the device may change only while the network has no IPs (NAT-NET-4). */
export async function updateNetwork({
  db,
  found: network,
  body,
  references,
}: Change<NetworkRow, NatNetworkInput> & Naming): Promise<void> {
  const device_id = requireNatDevice(references)
  const row = { device_id, ...written(body) }
  const moves = body.cidr !== network.cidr || device_id !== network.device_id
  if (moves && network.ips > 0)
    throw new ApiError(fault('NAT-NET-4', undefined, body.cidr === network.cidr ? 'device' : 'cidr'))
  if (moves) await requireNoOverlap(db, { device: device_id, self: network.id }, row)
  await unlessTaken('nat_networks', 'NAT-NET-0', renewedNetwork(db, { id: network.id, row }))
  if (moves) await keepUseOfMoved(db, network.id)
}

export async function removeNetwork({ db, found: network }: Change<NetworkRow>): Promise<void> {
  if (network.ips > 0) throw new ApiError('NAT-NET-4')
  await db.deleteFrom('nat_blocks').where('nat_network_id', '=', network.id).execute()
  await db.deleteFrom('nat_counts').where('nat_network_id', '=', network.id).execute()
  await db.deleteFrom('nat_networks').where('id', '=', network.id).execute()
}
