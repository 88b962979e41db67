import { pageQuery } from '#lib/http/paging'
import { readersOfDatacenter } from '#lib/infrastructure/datacenters.schema'
import { datacenterTarget } from '#lib/infrastructure/datacenters.server'
import { listNothing } from '#lib/infrastructure/equipment.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads((context) => listNothing(context, 'network'), {
  summary: 'List the private networks of a datacenter: always empty',
  who: { anyOf: readersOfDatacenter },
  target: datacenterTarget,
  query: pageQuery('name', 'id'),
  answers: { as: 'vlans' },
})
