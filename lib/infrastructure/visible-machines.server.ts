import type { ReadContext } from '#lib/auth/context.server'
import { ApiError } from '#lib/http/errors'
import { seesDatacenter, seesEnterprise } from '#lib/scopes/visibility.server'

/** It exists for who sees its enterprise and its datacenter, wherever it is. Throws VM-0. */
export async function requireMachine({ caller, db }: ReadContext, id: number): Promise<void> {
  const machine = await db
    .selectFrom('virtual_machines')
    .innerJoin('virtual_datacenters', 'virtual_datacenters.id', 'virtual_machines.virtual_datacenter_id')
    .where('virtual_machines.id', '=', id)
    .where(seesEnterprise(caller, 'virtual_machines.enterprise_id'))
    .where(seesDatacenter(caller, 'virtual_datacenters.datacenter_id'))
    .select('virtual_machines.id')
    .executeTakeFirst()
  if (!machine) throw new ApiError('VM-0')
}
