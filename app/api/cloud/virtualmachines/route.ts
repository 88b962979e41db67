import { listAllMachines, machineCsv } from '#lib/cloud/machines/machine-lists.server'
import { allMachinesQuery } from '#lib/cloud/machines/machines.schema'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads((context) => listAllMachines(context, context.query), {
  summary: 'List the virtual machines of all virtual datacenters',
  who: { anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'] },
  query: allMachinesQuery,
  asOf: true,
  answers: { as: 'virtualmachines', csv: machineCsv },
})
