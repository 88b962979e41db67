import { pageQuery } from '#lib/http/paging'
import { readersOfDatacenter } from '#lib/infrastructure/datacenters.schema'
import { listNothing } from '#lib/infrastructure/equipment.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List the storage tiers of a datacenter: none, for they are not kept here',
    anyOf: readersOfDatacenter,
    ids: { datacenter: 'DC-0' },
    query: pageQuery('name', 'id'),
    answers: 'tiers',
  },
  (context) => listNothing(context, 'storage/tiers', context.query),
)
