import {
  updateVirtualDatacenter,
  virtualDatacenterReferences,
} from '#lib/infrastructure/virtual-datacenter-changes.server'
import { virtualDatacenterInput } from '#lib/infrastructure/virtual-datacenters.schema'
import { virtualDatacenterTarget } from '#lib/infrastructure/virtual-datacenters.server'
import { removeVirtualDatacenter } from '#lib/machines/virtual-datacenter-removal.server'
import { shows, writes } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a virtual datacenter',
  anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE'],
  target: virtualDatacenterTarget,
  answers: 'virtualdatacenter',
})

export const PUT = writes(
  {
    summary: 'Change a virtual datacenter',
    anyOf: ['VDC_MANAGE'],
    target: virtualDatacenterTarget,
    takes: 'virtualdatacenter',
    body: virtualDatacenterInput,
    references: virtualDatacenterReferences,
    answers: 'virtualdatacenter',
    refuses: ['EN-0', 'DC-0', 'NETDEVICE-1'],
    ownAccount: 'never',
    event: 'virtualdatacenter',
  },
  updateVirtualDatacenter,
)

export const DELETE = writes(
  {
    summary: 'Delete a virtual datacenter',
    anyOf: ['VDC_MANAGE'],
    target: virtualDatacenterTarget,
    refuses: ['VDC-1'],
    ownAccount: 'never',
    event: 'virtualdatacenter',
  },
  removeVirtualDatacenter,
)
