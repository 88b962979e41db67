import type { ReadContext, WriteContext } from '#lib/auth/context.server'
import { fold } from '#lib/db/fold'
import { unlessTaken } from '#lib/db/unique.server'
import type { Note } from '#lib/events/operation.server'
import { ApiError, fault } from '#lib/http/errors'
import type { DatacenterRow } from '#lib/infrastructure/datacenters.server'
import type { DeviceDocument, DeviceInput } from '#lib/infrastructure/devices.schema'
import { type DeviceRow, deviceView, findDevice, findDeviceType } from '#lib/infrastructure/devices.server'
import { encrypt } from '#lib/keys/keys.server'

/** The device type of the document. Throws DEVICETYPE-1. */
export const deviceReferences = async ({ db }: ReadContext, { links }: Partial<DeviceInput>) =>
  links?.devicetype === undefined ? undefined : findDeviceType(db, links.devicetype)

async function columnsOf(asking: WriteContext, body: DeviceInput) {
  const type = await deviceReferences(asking, body)
  if (!type) throw new ApiError('GEN-2')
  const { name, description, endpoint, user: login } = body
  return { type, row: { device_type_id: type.id, name, name_key: fold(name), description, endpoint, login } }
}

/** Encrypted with the device id as associated data, so a copied value cannot be decrypted in another row. */
export const devicePasswordContext = (id: number): string => `devices/${id}/password`

const sealedPassword = (id: number, password: string): string | null =>
  password === '' ? null : encrypt(password, devicePasswordContext(id))

type Writing = WriteContext & { body: DeviceInput; note: Note }

export async function createDevice({
  found: { id: datacenter },
  body,
  note,
  ...asking
}: Writing & { found: DatacenterRow }): Promise<DeviceDocument> {
  const { db } = asking
  const { row } = await columnsOf(asking, body)
  const { id: device } = await unlessTaken(
    'devices',
    'NETDEVICE-2',
    db
      .insertInto('devices')
      .values({ ...row, datacenter_id: datacenter, password: null })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  if (body.password) {
    const password = sealedPassword(device, body.password)
    await db.updateTable('devices').set({ password }).where('id', '=', device).execute()
    note('password', undefined, 'changed')
  }
  return deviceView(await findDevice(db, datacenter, device))
}

type Changing = WriteContext & { found: DeviceRow }

/** Throws NETDEVICE-3 if the device has NAT networks and the new type does not support NAT. */
export async function updateDevice({
  found: { id },
  body,
  note,
  ...asking
}: Writing & Changing): Promise<void> {
  const { db } = asking
  const { type, row } = await columnsOf(asking, body)
  if (type.nat !== 1 && (await holds(asking, 'nat_networks', id))) {
    const message = 'The device has NAT networks: its type must support NAT'
    throw new ApiError(fault('NETDEVICE-3', message))
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
export async function removeDevice({ found: { id }, ...asking }: Changing): Promise<void> {
  if ((await holds(asking, 'nat_networks', id)) || (await holds(asking, 'virtual_datacenters', id)))
    throw new ApiError('NETDEVICE-3')
  await asking.db.deleteFrom('devices').where('id', '=', id).execute()
}

async function holds(
  { db }: WriteContext,
  table: 'nat_networks' | 'virtual_datacenters',
  device: number,
): Promise<boolean> {
  const found = await db
    .selectFrom(table)
    .where('device_id', '=', device)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
