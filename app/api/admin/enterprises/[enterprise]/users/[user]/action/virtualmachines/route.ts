import { nameQuery } from '#lib/http/paging'
import { userTarget } from '#lib/identity/users.server'
import { listMachinesOf } from '#lib/machines/machine-lists.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(listMachinesOf, {
  summary: 'List the virtual machines of a user',
  who: { anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'] },
  target: userTarget,
  query: nameQuery,
  answers: { as: 'virtualmachines' },
})
