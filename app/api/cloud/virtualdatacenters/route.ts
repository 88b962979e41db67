import { kinds } from '#lib/caller/kinds/kinds'
import {
  createVirtualDatacenter,
  newVirtualDatacenterReferences,
} from '#lib/cloud/infrastructure/virtual-datacenter-changes.server'
import {
  newVirtualDatacenterInput,
  virtualDatacenterQuery,
} from '#lib/cloud/infrastructure/virtual-datacenters.schema'
import {
  listVirtualDatacenters,
  virtualDatacenterCsv,
} from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads((context) => listVirtualDatacenters(context, context.query), {
  summary: 'List virtual datacenters',
  who: { anyOf: kinds.virtualdatacenter.readers },
  query: virtualDatacenterQuery,
  asOf: true,
  answers: { as: 'virtualdatacenters', csv: virtualDatacenterCsv },
})

export const POST = writes(createVirtualDatacenter, {
  summary: 'Create a virtual datacenter',
  who: { anyOf: ['VDC_MANAGE'], ownAccount: 'never' },
  takes: {
    as: 'virtualdatacenter',
    body: newVirtualDatacenterInput,
    references: newVirtualDatacenterReferences,
  },
  answers: { as: 'virtualdatacenter' },
  event: 'virtualdatacenter',
  refuses: ['EN-0', 'DC-0', 'NETDEVICE-1'],
})
