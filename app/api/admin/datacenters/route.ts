import { nameQuery } from '#lib/http/paging'
import { datacenterInput } from '#lib/infrastructure/datacenters.schema'
import { createDatacenter, datacenterCsv, listDatacenters } from '#lib/infrastructure/datacenters.server'
import { kinds } from '#lib/kinds/kinds'
import { reads, writes } from '#lib/pipeline/endpoint.server'

export const GET = reads((context) => listDatacenters(context, context.query), {
  summary: 'List datacenters',
  who: { anyOf: kinds.datacenter.readers },
  query: nameQuery,
  answers: { as: 'datacenters', csv: datacenterCsv },
})

export const POST = writes(createDatacenter, {
  summary: 'Create a datacenter',
  who: { anyOf: ['PHYS_DC_MANAGE'], ownAccount: 'never' },
  takes: { as: 'datacenter', body: datacenterInput },
  answers: { as: 'datacenter' },
  event: 'datacenter',
  refuses: ['DC-3'],
})
