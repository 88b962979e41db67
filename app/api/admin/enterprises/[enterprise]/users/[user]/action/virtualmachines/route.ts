import { listMachinesOf, machineCsv } from '#lib/cloud/machines/machine-lists.server'
import { changed, nameQuery } from '#lib/ground/http/paging'
import { tag } from '#lib/ground/http/tags.schema'
import { userTarget } from '#lib/people/identity/users.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listMachinesOf, {
  summary: 'List the virtual machines of a user',
  who: { anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'] },
  target: userTarget,
  query: nameQuery.extend({ changed, tag }),
  asOf: true,
  answers: { as: 'virtualmachines', csv: machineCsv },
})
