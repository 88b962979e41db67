import { kinds } from '#lib/caller/kinds/kinds'
import { datacenterInput } from '#lib/cloud/infrastructure/datacenters.schema'
import {
  createDatacenter,
  datacenterCsv,
  listDatacenters,
} from '#lib/cloud/infrastructure/datacenters.server'
import { changed, nameQuery } from '#lib/ground/http/paging'
import { tag } from '#lib/ground/http/tags.schema'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads((context) => listDatacenters(context, context.query), {
  summary: 'List datacenters',
  who: { anyOf: kinds.datacenter.readers },
  query: nameQuery.extend({ changed, tag }),
  asOf: true,
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
