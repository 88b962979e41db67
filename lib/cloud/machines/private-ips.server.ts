import { randomBytes } from 'node:crypto'
import type { Change, Listed, ReadContext } from '#lib/caller/auth/context.server'
import { collectionOf, linkTo, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import {
  findVirtualDatacenter,
  type VirtualDatacenter,
} from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { machinePath } from '#lib/cloud/machines/machines.server'
import type {
  PrivateIpDocument,
  PrivateIpInput,
  privateIpOrders,
} from '#lib/cloud/machines/private-ips.schema'
import type { Db, Trx } from '#lib/db/db.server'
import { hasText, list } from '#lib/db/list.server'
import { insertRow, unlessTaken } from '#lib/db/unique.server'
import { ApiError, about, fault } from '#lib/ground/http/errors'
import type { Paging } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'
import { addressKey, formatAddress, parseAddress } from '#lib/ground/net/addresses'

const privateIpsOf = (db: Db, center: { id: number }) =>
  db
    .selectFrom('private_ips')
    .leftJoin('virtual_machines', 'virtual_machines.id', 'private_ips.virtual_machine_id')
    .where('private_ips.virtual_datacenter_id', '=', center.id)
    .select([
      'private_ips.id',
      'private_ips.ip',
      'private_ips.mac',
      'private_ips.virtual_datacenter_id',
      'virtual_machines.id as machine_id',
      'virtual_machines.name as machine_name',
      'virtual_machines.virtual_appliance_id',
    ])

type PrivateIpPath = { virtualdatacenter: number; privateip: number }

/** The private IP with its virtual datacenter, if the caller sees that. Throws VDC-0, PRIVATEIP-0. */
async function findPrivateIp(context: ReadContext, { virtualdatacenter, privateip }: PrivateIpPath) {
  const center = await findVirtualDatacenter(context, virtualdatacenter)
  const found = await privateIpsOf(context.db, center)
    .where('private_ips.id', '=', privateip)
    .executeTakeFirstOrThrow(() => new ApiError('PRIVATEIP-0'))
  return { ...found, center }
}

type PrivateIp = Awaited<ReturnType<typeof findPrivateIp>>

function privateIpView({ center, ...row }: PrivateIp): PrivateIpDocument {
  const place = pathOf(kinds.virtualdatacenter, { id: center.id })
  return {
    links: [
      link('self', `${place}/privateips/${row.id}`, 'privateip', row.ip),
      link('virtualdatacenter', place, 'virtualdatacenter', center.name),
      linkTo(kinds.enterprise, { id: center.enterprise_id }, center.enterprise_name),
      link(
        'location',
        pathOf(kinds.location, { id: center.datacenter_id }),
        'datacenter',
        center.datacenter_name,
      ),
      ...machineLink(row),
    ],
    id: row.id,
    ip: row.ip,
    mac: row.mac,
  }
}

function machineLink({
  machine_id: id,
  machine_name,
  virtual_appliance_id,
  ...row
}: Omit<PrivateIp, 'center'>) {
  if (id === null || virtual_appliance_id === null) return []
  const { virtual_datacenter_id } = row
  const path = machinePath({ id, virtual_datacenter_id, virtual_appliance_id })
  return [link('virtualmachine', path, 'virtualmachine', machine_name)]
}

export const privateIpTarget = {
  ids: { virtualdatacenter: 'VDC-0', privateip: 'PRIVATEIP-0' },
  find: findPrivateIp,
  view: privateIpView,
} as const

export const listPrivateIps = ({
  found: center,
  query: paging,
}: Listed<VirtualDatacenter, Paging<(typeof privateIpOrders)[number]>>): Promise<Listing> =>
  list({
    from: (db) =>
      privateIpsOf(db, center).where((on) =>
        on.or([hasText('private_ips.ip', paging.has), hasText('private_ips.mac', paging.has)]),
      ),
    orders: { ip: ['private_ips.ip_key'], id: [] },
    id: 'private_ips.id',
    paging,
    views: (rows) => rows.map((row) => privateIpView({ ...row, center })),
    path: collectionOf(kinds.privateip, { virtualdatacenter: center.id }),
  })

/** The columns of an address, in canonical form. */
function addressColumns(text: string): { ip: string; ip_key: string } {
  const address = parseAddress(text)
  if (!address) throw new ApiError(fault('CONSTR-PATTERN', undefined, 'ip'))
  const { version, value } = address
  return { ip: formatAddress(version, value), ip_key: addressKey(version, value) }
}

type NewPrivateIp = {
  virtualDatacenterId: number
  virtualMachineId?: number
  nic?: number
  ip: string
  mac: string
}

export async function insertPrivateIp(trx: Trx, made: NewPrivateIp): Promise<number> {
  return insertRow(trx, 'private_ips', {
    virtual_datacenter_id: made.virtualDatacenterId,
    virtual_machine_id: made.virtualMachineId ?? null,
    nic: made.nic ?? null,
    ...addressColumns(made.ip),
    mac: made.mac,
  })
}

/** A locally administered unicast address (IEEE 802: the two lowest bits of the first octet). */
const newMac = (): string => ['02', ...(randomBytes(5).toString('hex').match(/../g) ?? [])].join(':')

const unlessThere = <T>(work: Promise<T>): Promise<T> =>
  about('ip', unlessTaken('private_ips', 'PRIVATEIP-1', work))

export async function createPrivateIp({
  found: { id: virtualdatacenter },
  body,
  ...context
}: Change<VirtualDatacenter, PrivateIpInput>): Promise<PrivateIpDocument> {
  const made = { virtualDatacenterId: virtualdatacenter, ip: body.ip, mac: body.mac ?? newMac() }
  const privateip = await unlessThere(insertPrivateIp(context.db, made))
  return privateIpView(await findPrivateIp(context, { virtualdatacenter, privateip }))
}

/** The address of an attached IP cannot change, because NAT rules were made for it. */
export async function updatePrivateIp({ db, found, body }: Change<PrivateIp, PrivateIpInput>): Promise<void> {
  if (found.machine_id !== null && body.ip !== found.ip)
    throw new ApiError(
      fault('PRIVATEIP-1', 'The address cannot change while it is attached to a virtual machine', 'ip'),
    )
  await unlessThere(
    db
      .updateTable('private_ips')
      .set({ ...addressColumns(body.ip), mac: body.mac ?? found.mac })
      .where('id', '=', found.id)
      .execute(),
  )
}

export async function removePrivateIp({ db, found: { id, machine_id } }: Change<PrivateIp>): Promise<void> {
  if (machine_id !== null) throw new ApiError('PRIVATEIP-1')
  await db.deleteFrom('private_ips').where('id', '=', id).execute()
}
