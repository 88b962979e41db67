import { readersOfDatacenter } from '#lib/cloud/infrastructure/datacenters.schema'
import { datacenterTarget } from '#lib/cloud/infrastructure/datacenters.server'
import { listNothing } from '#lib/cloud/infrastructure/equipment.server'
import { pageQuery } from '#lib/ground/http/paging'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads((context) => listNothing(context, 'storage/tiers'), {
  summary: 'List the storage tiers of a datacenter: always empty',
  who: { anyOf: readersOfDatacenter },
  target: datacenterTarget,
  query: pageQuery('name', 'id'),
  answers: { as: 'tiers' },
})
