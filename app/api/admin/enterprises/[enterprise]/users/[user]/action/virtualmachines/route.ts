import { pageQuery } from '#lib/http/paging'
import { listMachinesOf } from '#lib/machines/machine-lists.server'
import { virtualMachineOrders } from '#lib/machines/machines.schema'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List the virtual machines of a user',
    anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'],
    ids: { enterprise: 'EN-0', user: 'USER-0' },
    wildcard: 'enterprise',
    query: pageQuery(...virtualMachineOrders),
    answers: 'virtualmachines',
  },
  (context) => listMachinesOf(context, context.params, context.query),
)
