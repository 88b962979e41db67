import type { Change, Creation, ReadContext, Referring } from '#lib/caller/auth/context.server'
import { requireEnterprise } from '#lib/caller/scopes/visibility.server'
import { findDatacenter } from '#lib/cloud/infrastructure/datacenters.server'
import { findDevice } from '#lib/cloud/infrastructure/devices.server'
import type {
  NewVirtualDatacenterInput,
  VirtualDatacenterInput,
} from '#lib/cloud/infrastructure/virtual-datacenters.schema'
import {
  findVirtualDatacenter,
  insertVirtualDatacenter,
  type VirtualDatacenter,
  virtualDatacenterColumns,
  virtualDatacenterView,
} from '#lib/cloud/infrastructure/virtual-datacenters.server'
import type { Db, Trx } from '#lib/db/db.server'
import { ApiError, about, fault, gather } from '#lib/ground/http/errors'

const deviceAt = async (db: Db, datacenter: number, id: number | undefined): Promise<number | undefined> =>
  id === undefined ? undefined : (await about('device', findDevice(db, datacenter, id))).id

/** The enterprise, location and device that a new virtual datacenter names. Throws EN-0, DC-0, NETDEVICE-1. */
export async function newVirtualDatacenterReferences(
  context: ReadContext,
  { links }: Partial<NewVirtualDatacenterInput>,
) {
  const locate = async () => {
    if (links?.location === undefined) return {}
    const { id } = await about('location', findDatacenter(context, links.location))
    return { location: id, device: await deviceAt(context.db, id, links.device) }
  }
  const [enterprise, { location, device }] = await gather(
    links?.enterprise === undefined
      ? Promise.resolve(undefined)
      : about('enterprise', requireEnterprise(context, links.enterprise)),
    locate(),
  )
  return { enterprise: enterprise?.id, location, device }
}

export async function createVirtualDatacenter({
  body,
  references: { enterprise, location, device },
  ...context
}: Creation<NewVirtualDatacenterInput> & Referring<typeof newVirtualDatacenterReferences>) {
  if (enterprise === undefined || location === undefined) throw new ApiError('GEN-2')
  const virtualdatacenter = await insertVirtualDatacenter(context.db, {
    ...body,
    enterpriseId: enterprise,
    datacenterId: location,
    deviceId: device,
  })
  return virtualDatacenterView(await findVirtualDatacenter(context, virtualdatacenter))
}

/** The device that the document names. The enterprise and the location cannot change. Throws EN-0, DC-0, GEN-6, NETDEVICE-1. */
export async function virtualDatacenterReferences(
  { found: center, ...context }: ReadContext & { found: VirtualDatacenter },
  { links }: Partial<VirtualDatacenterInput>,
): Promise<{ device: number | undefined }> {
  const { enterprise, location } = links ?? {}
  const [device] = await gather(
    deviceAt(context.db, center.datacenter_id, links?.device),
    requireUnchanged('enterprise', [enterprise, center.enterprise_id], (id) =>
      requireEnterprise(context, id),
    ),
    requireUnchanged('location', [location, center.datacenter_id], (id) => findDatacenter(context, id)),
  )
  return { device }
}

/** An invisible enterprise or location is not found, rather than refused. */
async function requireUnchanged(
  rel: string,
  [sent, current]: [number | undefined, number],
  find: (id: number) => Promise<unknown>,
): Promise<void> {
  if (sent === undefined || sent === current) return
  await about(rel, find(sent))
  throw new ApiError(fault('GEN-6', `The ${rel} of a virtual datacenter cannot be changed`, rel))
}

export async function updateVirtualDatacenter({
  db,
  found: { id },
  body,
  references: { device },
}: Change<VirtualDatacenter, VirtualDatacenterInput> &
  Referring<typeof virtualDatacenterReferences>): Promise<void> {
  await db
    .updateTable('virtual_datacenters')
    .set({ ...virtualDatacenterColumns.written(body), device_id: device ?? null })
    .where('id', '=', id)
    .execute()
}

export const deleteVirtualDatacenter = async (trx: Trx, id: number): Promise<void> => {
  await trx.deleteFrom('virtual_datacenters').where('id', '=', id).execute()
}
