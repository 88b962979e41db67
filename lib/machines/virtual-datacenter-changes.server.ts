import type { ReadContext, WriteContext } from '#lib/auth/context.server'
import type { Db } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { ApiError, fault, gather } from '#lib/http/errors'
import { findDatacenter } from '#lib/infrastructure/datacenters.server'
import { findDevice } from '#lib/infrastructure/devices.server'
import type {
  NewVirtualDatacenterInput,
  VirtualDatacenterDocument,
  VirtualDatacenterInput,
} from '#lib/infrastructure/virtual-datacenters.schema'
import {
  findVirtualDatacenter,
  insertVirtualDatacenter,
  readVirtualDatacenter,
} from '#lib/infrastructure/virtual-datacenters.server'
import { releaseIpsOf } from '#lib/nat/attachments.server'
import { requireEnterprise } from '#lib/scopes/visibility.server'

const deviceAt = async (db: Db, datacenter: number, id: number | undefined): Promise<number | undefined> =>
  id === undefined ? undefined : (await findDevice(db, datacenter, id)).id

/** What a new one names, as far as the caller sees it. Throws EN-0, DC-0, NETDEVICE-1. */
export async function newVirtualDatacenterReferences(
  asked: ReadContext,
  { links }: Partial<NewVirtualDatacenterInput>,
) {
  const locate = async () => {
    if (links?.location === undefined) return {}
    const { id } = await findDatacenter(asked, links.location)
    return { location: id, device: await deviceAt(asked.db, id, links.device) }
  }
  const [enterprise, { location, device }] = await gather(
    links?.enterprise === undefined ? Promise.resolve(undefined) : requireEnterprise(asked, links.enterprise),
    locate(),
  )
  return { enterprise: enterprise?.id, location, device }
}

export async function createVirtualDatacenter({
  body,
  ...asking
}: WriteContext & { body: NewVirtualDatacenterInput }): Promise<VirtualDatacenterDocument> {
  const { enterprise, location, device } = await newVirtualDatacenterReferences(asking, body)
  if (enterprise === undefined || location === undefined) throw new ApiError('GEN-2')
  const virtualdatacenter = await insertVirtualDatacenter(asking.db, {
    name: body.name,
    enterpriseId: enterprise,
    datacenterId: location,
    deviceId: device,
  })
  return readVirtualDatacenter({ ...asking, params: { virtualdatacenter } })
}

type Place = { params: { virtualdatacenter: number } }

/** The device that the document names; its enterprise and location are those it has. Throws EN-0, DC-0, GEN-6, NETDEVICE-1. */
export async function virtualDatacenterReferences(
  { params, ...asked }: ReadContext & Place,
  { links }: Partial<VirtualDatacenterInput>,
): Promise<{ device: number | undefined }> {
  const center = await findVirtualDatacenter(asked, params.virtualdatacenter)
  const unchanged = async (
    rel: string,
    sent: number | undefined,
    own: number,
    find: () => Promise<unknown>,
  ) => {
    if (sent === undefined || sent === own) return
    await find()
    throw new ApiError(fault('GEN-6', `The ${rel} of a virtual datacenter cannot be changed`))
  }
  const { enterprise, location } = links ?? {}
  const [device] = await gather(
    deviceAt(asked.db, center.datacenter_id, links?.device),
    unchanged('enterprise', enterprise, center.enterprise_id, () =>
      requireEnterprise(asked, enterprise ?? 0),
    ),
    unchanged('location', location, center.datacenter_id, () => findDatacenter(asked, location ?? 0)),
  )
  return { device }
}

type Changing = WriteContext & Place

export async function updateVirtualDatacenter({
  params,
  body,
  ...asking
}: Changing & { body: VirtualDatacenterInput }): Promise<VirtualDatacenterDocument> {
  const { device } = await virtualDatacenterReferences({ ...asking, params }, body)
  await asking.db
    .updateTable('virtual_datacenters')
    .set({ name: body.name, name_key: fold(body.name), device_id: device ?? null })
    .where('id', '=', params.virtualdatacenter)
    .execute()
  return readVirtualDatacenter({ ...asking, params })
}

/** Throws VDC-1 while it has appliances or private IPs. Releases its NAT IPs, the default SNAT too. */
export async function removeVirtualDatacenter({ params, ...asking }: Changing): Promise<void> {
  const { db } = asking
  const { id } = await findVirtualDatacenter(asking, params.virtualdatacenter)
  for (const table of ['virtual_appliances', 'private_ips'] as const) {
    const used = await db
      .selectFrom(table)
      .where('virtual_datacenter_id', '=', id)
      .select('id')
      .limit(1)
      .executeTakeFirst()
    if (used) throw new ApiError('VDC-1')
  }
  await releaseIpsOf(db, id)
  await db.deleteFrom('virtual_datacenters').where('id', '=', id).execute()
}
