import { listAllMachines } from '#lib/infrastructure/machine-lists.server'
import { allMachinesQuery } from '#lib/infrastructure/machines.schema'
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
