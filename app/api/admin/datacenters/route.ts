import { readers } from '#lib/auth/readers'
import { pageQuery } from '#lib/http/paging'
import { datacenterInput } from '#lib/infrastructure/datacenters.schema'
import {
  createDatacenter,
  datacenterCsv,
  datacenterOrders,
  listDatacenters,
} from '#lib/infrastructure/datacenters.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List datacenters',
    anyOf: readers.datacenter,
    query: pageQuery(...datacenterOrders),
    answers: 'datacenters',
    csv: datacenterCsv,
  },
  (context) => listDatacenters(context, context.query),
)

export const POST = writes(
  {
    summary: 'Create a datacenter',
    anyOf: ['PHYS_DC_MANAGE'],
    takes: 'datacenter',
    body: datacenterInput,
    answers: 'datacenter',
    refuses: ['DC-3'],
    ownAccount: 'never',
    event: 'datacenter',
  },
  createDatacenter,
)
