import type { Listed, ReadContext } from '#lib/caller/auth/context.server'
import { columns } from '#lib/caller/kinds/columns.server'
import { collectionOf, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesDatacenter } from '#lib/caller/scopes/visibility.server'
import { type DatacenterRow, findDatacenter } from '#lib/cloud/infrastructure/datacenters.server'
import {
  type DeviceDocument,
  type DeviceFields,
  type DeviceQuery,
  type DevicesQuery,
  type DeviceTypeDocument,
  deviceFields,
} from '#lib/cloud/infrastructure/devices.schema'
import { deviceStatusColumns, deviceStatusFields, hasFault } from '#lib/cloud/translations/status.server'
import { type Db, isPast, type Trx } from '#lib/db/db.server'
import { namedList } from '#lib/db/list.server'
import { statement } from '#lib/db/statements.server'
import { insertRow } from '#lib/db/unique.server'
import { ApiError, fieldFault } from '#lib/ground/http/errors'
import type { NamePaging } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'

export const deviceColumns = columns(kinds.device, deviceFields, { user: 'login' })

const allDevices = (db: Db, isPast: boolean) =>
  db
    .selectFrom('devices')
    .innerJoin('device_types', 'device_types.id', 'devices.device_type_id')
    .innerJoin('datacenters', 'datacenters.id', 'devices.datacenter_id')
    .leftJoin('device_states', 'device_states.device_id', 'devices.id')
    .select([
      'devices.id',
      ...deviceColumns.select,
      'devices.datacenter_id',
      'datacenters.name as datacenter_name',
      'devices.device_type_id',
      'device_types.name as type_name',
      'device_types.nat',
    ])
    .$if(!isPast, (devices) => devices.select(deviceStatusColumns()))

type InDatacenter = { datacenter: number; isPast: boolean }

/** All devices, or those whose type supports NAT or does not. */
const byNat = (devices: ReturnType<typeof allDevices>, nat: boolean | undefined) =>
  nat === undefined ? devices : devices.where('device_types.nat', '=', nat ? 1 : 0)

const devicesOf = (db: Db, { datacenter, isPast }: InDatacenter) =>
  allDevices(db, isPast).where('devices.datacenter_id', '=', datacenter)

const deviceIn = statement('device', (db, { id, ...place }: InDatacenter & { id: number }) =>
  devicesOf(db, place).where('devices.id', '=', id),
)

export type DeviceRow = Awaited<ReturnType<typeof findDevice>>

/** A device of this datacenter, which must be visible to the caller. Throws NETDEVICE-1. */
export async function findDevice(db: Db, datacenter: number, id: number) {
  const [device] = await deviceIn(db, { datacenter, id, isPast: isPast(db) })
  if (!device) throw new ApiError('NETDEVICE-1')
  return device
}

export const deviceView = (row: DeviceRow): DeviceDocument => {
  const location = pathOf(kinds.location, { id: row.datacenter_id })
  return {
    links: [
      link('edit', `${location}/devices/${row.id}`, 'device', row.name),
      link('location', location, 'datacenter', row.datacenter_name),
      link('devicetype', `/config/devicetypes/${row.device_type_id}`, 'devicetype', row.type_name),
      link(
        'virtualdatacenters',
        `${collectionOf(kinds.virtualdatacenter)}?device=${row.id}`,
        'virtualdatacenters',
      ),
      link('translations', `${location}/devices/${row.id}/translations`, 'nattranslations'),
      link('state', `${location}/devices/${row.id}/state`, 'devicestate'),
    ],
    id: row.id,
    ...deviceColumns.read(row),
    ...deviceStatusFields(row),
  }
}

export const deviceTarget = {
  ids: { datacenter: 'DC-0', device: 'NETDEVICE-1' },
  find: async (context: ReadContext, path: { datacenter: number; device: number }) => {
    await findDatacenter(context, path.datacenter)
    return findDevice(context.db, path.datacenter, path.device)
  },
  view: deviceView,
} as const

export const listDevices = ({ found: datacenter, query: paging }: Listed<DatacenterRow, DevicesQuery>) =>
  namedList({
    table: 'devices',
    from: (db) => byNat(devicesOf(db, { datacenter: datacenter.id, isPast: isPast(db) }), paging.nat),
    paging,
    views: (rows) => rows.map(deviceView),
    path: collectionOf(kinds.device, { datacenter: datacenter.id }),
  })

/** The devices of all visible datacenters. */
export const listAllDevices = ({ caller, db }: ReadContext, paging: DeviceQuery) => {
  if (paging.faulty !== undefined && isPast(db))
    throw new ApiError(fieldFault('GEN-22', 'faulty', 'faulty has no past: reports of gateways are not kept'))
  return namedList({
    table: 'devices',
    from: (db) =>
      byNat(allDevices(db, isPast(db)), paging.nat)
        .where(seesDatacenter(caller, 'devices.datacenter_id'))
        .$if(paging.faulty !== undefined, (devices) => devices.where(hasFault(), '=', paging.faulty ? 1 : 0)),
    paging,
    views: (rows) => rows.map(deviceView),
    path: '/cloud/devices',
  })
}

const deviceTypes = (db: Db) =>
  db.selectFrom('device_types').select(['device_types.id', 'device_types.name', 'device_types.nat'])

const deviceTypeView = ({
  id,
  name,
  nat,
}: {
  id: number
  name: string
  nat: number
}): DeviceTypeDocument => ({
  links: [link('self', `/config/devicetypes/${id}`, 'devicetype', name)],
  id,
  name,
  nat: nat === 1,
})

/** Throws DEVICETYPE-1. */
export async function findDeviceType(db: Db, id: number) {
  const type = await deviceTypes(db).where('id', '=', id).executeTakeFirst()
  if (!type) throw new ApiError('DEVICETYPE-1')
  return type
}

export const deviceTypeTarget = {
  ids: { devicetype: 'DEVICETYPE-1' },
  find: ({ db }: ReadContext, path: { devicetype: number }) => findDeviceType(db, path.devicetype),
  view: deviceTypeView,
} as const

export const listDeviceTypes = (paging: NamePaging): Promise<Listing> =>
  namedList({
    table: 'device_types',
    from: deviceTypes,
    paging,
    views: (rows) => rows.map(deviceTypeView),
    path: '/config/devicetypes',
  })

type NewDevice = Partial<DeviceFields> & { datacenterId: number; typeName: string; name: string }

/** Throws DEVICETYPE-1. */
export async function insertDevice(trx: Trx, device: NewDevice): Promise<number> {
  const type = await deviceTypes(trx).where('name', '=', device.typeName).executeTakeFirst()
  if (!type) throw new ApiError('DEVICETYPE-1')
  return insertRow(trx, 'devices', {
    datacenter_id: device.datacenterId,
    device_type_id: type.id,
    ...deviceColumns.written(device),
    password: null,
  })
}
