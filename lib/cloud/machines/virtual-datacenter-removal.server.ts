import type { Change } from '#lib/caller/auth/context.server'
import { deleteVirtualDatacenter } from '#lib/cloud/infrastructure/virtual-datacenter-changes.server'
import type { VirtualDatacenter } from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { releaseIpsOf } from '#lib/cloud/nat/attachments.server'
import { isReferenced } from '#lib/db/references.server'
import { ApiError } from '#lib/ground/http/errors'

/* The other changes are in lib/cloud/infrastructure, below NAT. Only the removal releases NAT IPs, the default SNAT among them. */

/** Throws VDC-1 while the virtual datacenter has appliances or private IPs. */
export async function removeVirtualDatacenter({ db, found: { id } }: Change<VirtualDatacenter>) {
  const tables = ['virtual_appliances', 'private_ips'] as const
  if (await isReferenced(db, { column: 'virtual_datacenter_id', id }, tables)) throw new ApiError('VDC-1')
  await releaseIpsOf(db, id)
  await deleteVirtualDatacenter(db, id)
}
