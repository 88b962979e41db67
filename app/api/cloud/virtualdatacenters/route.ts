import { readers } from '#lib/auth/readers'
import {
  createVirtualDatacenter,
  newVirtualDatacenterReferences,
} from '#lib/infrastructure/virtual-datacenter-changes.server'
import {
  newVirtualDatacenterInput,
  virtualDatacenterQuery,
} from '#lib/infrastructure/virtual-datacenters.schema'
import { listVirtualDatacenters } from '#lib/infrastructure/virtual-datacenters.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List virtual datacenters',
    anyOf: readers.virtualdatacenter,
    query: virtualDatacenterQuery,
    answers: 'virtualdatacenters',
  },
  (context) => listVirtualDatacenters(context, context.query),
)

export const POST = writes(
  {
    summary: 'Create a virtual datacenter',
    anyOf: ['VDC_MANAGE'],
    takes: 'virtualdatacenter',
    body: newVirtualDatacenterInput,
    references: newVirtualDatacenterReferences,
    answers: 'virtualdatacenter',
    refuses: ['EN-0', 'DC-0', 'NETDEVICE-1'],
    ownAccount: 'never',
    event: 'virtualdatacenter',
  },
  createVirtualDatacenter,
)
