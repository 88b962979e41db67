import type { Change, ReadContext, Referring, WriteContext } from '#lib/caller/auth/context.server'
import type { DatacenterRow } from '#lib/cloud/infrastructure/datacenters.server'
import type { DeviceDocument, DeviceInput } from '#lib/cloud/infrastructure/devices.schema'
import {
  type DeviceRow,
  deviceColumns,
  deviceView,
  findDevice,
  findDeviceType,
} from '#lib/cloud/infrastructure/devices.server'
import { isReferenced } from '#lib/db/references.server'
import { insertRow, unlessTaken } from '#lib/db/unique.server'
import { ApiError, about, fault } from '#lib/ground/http/errors'
import { encrypt } from '#lib/ground/keys/keys.server'
import type { Note } from '#lib/record/events/operation.server'

/** The device type of the document. Throws DEVICETYPE-1. */
export const deviceReferences = async ({ db }: ReadContext, { links }: Partial<DeviceInput>) =>
  links?.devicetype === undefined ? undefined : about('devicetype', findDeviceType(db, links.devicetype))

type Naming = { body: DeviceInput } & Referring<typeof deviceReferences>

function columnsOf({ body, references: type }: Naming) {
  if (!type) throw new ApiError(fault('GEN-2', undefined, 'devicetype'))
  return { type, row: { device_type_id: type.id, ...deviceColumns.written(body) } }
}

/** Encrypted with the device id as associated data, so a copied value cannot be decrypted in another row. */
export const devicePasswordContext = (id: number): string => `devices/${id}/password`

const sealedPassword = (id: number, password: string): string | null =>
  password === '' ? null : encrypt(password, devicePasswordContext(id))

type Writing = WriteContext & Naming & { note: Note }

export async function createDevice({
  found: { id: datacenter },
  db,
  body,
  references,
  note,
}: Writing & { found: DatacenterRow }): Promise<DeviceDocument> {
  const { row } = columnsOf({ body, references })
  const made = insertRow(db, 'devices', { ...row, datacenter_id: datacenter, password: null })
  const device = await unlessTaken('devices', 'NETDEVICE-2', made)
  if (body.password) {
    const password = sealedPassword(device, body.password)
    await db.updateTable('devices').set({ password }).where('id', '=', device).execute()
    note('password', undefined, 'changed')
  }
  return deviceView(await findDevice(db, datacenter, device))
}

/** Throws NETDEVICE-3 if the device has NAT networks and the new type does not support NAT. */
export async function updateDevice({
  found: { id },
  db,
  body,
  references,
  note,
}: Writing & Change<DeviceRow, DeviceInput>): Promise<void> {
  const { type, row } = columnsOf({ body, references })
  if (type.nat !== 1 && (await isReferenced(db, { column: 'device_id', id }, ['nat_networks']))) {
    const message = 'The device has NAT networks: its type must support NAT'
    throw new ApiError(fault('NETDEVICE-3', message, 'devicetype'))
  }
  const { password } = body
  const sealed = password === undefined ? {} : { password: sealedPassword(id, password) }
  await unlessTaken(
    'devices',
    'NETDEVICE-2',
    db
      .updateTable('devices')
      .set({ ...row, ...sealed })
      .where('id', '=', id)
      .execute(),
  )
  if (password !== undefined) note('password', undefined, 'changed')
}

/** Throws NETDEVICE-3 while the device has NAT networks or virtual datacenters. */
export async function removeDevice({ found: { id }, db }: Change<DeviceRow>): Promise<void> {
  const tables = ['nat_networks', 'virtual_datacenters'] as const
  if (await isReferenced(db, { column: 'device_id', id }, tables)) throw new ApiError('NETDEVICE-3')
  await db.deleteFrom('devices').where('id', '=', id).execute()
}
