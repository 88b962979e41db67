import { listAllMachines } from '#lib/machines/machine-lists.server'
import { allMachinesQuery } from '#lib/machines/machines.schema'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List the virtual machines of all virtual datacenters',
    anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'],
    query: allMachinesQuery,
    answers: 'virtualmachines',
  },
  (context) => listAllMachines(context, context.query),
)
