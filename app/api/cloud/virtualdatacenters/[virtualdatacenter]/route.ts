import {
  updateVirtualDatacenter,
  virtualDatacenterReferences,
} from '#lib/cloud/infrastructure/virtual-datacenter-changes.server'
import { virtualDatacenterInput } from '#lib/cloud/infrastructure/virtual-datacenters.schema'
import { virtualDatacenterTarget } from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { removeVirtualDatacenter } from '#lib/cloud/machines/virtual-datacenter-removal.server'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a virtual datacenter',
  who: { anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE'] },
  target: virtualDatacenterTarget,
  asOf: true,
  answers: { as: 'virtualdatacenter' },
})

export const PUT = writes(updateVirtualDatacenter, {
  summary: 'Change a virtual datacenter',
  who: { anyOf: ['VDC_MANAGE'], ownAccount: 'never' },
  target: virtualDatacenterTarget,
  takes: { as: 'virtualdatacenter', body: virtualDatacenterInput, references: virtualDatacenterReferences },
  answers: { as: 'virtualdatacenter' },
  event: 'virtualdatacenter',
  refuses: ['EN-0', 'DC-0', 'NETDEVICE-1'],
})

export const DELETE = writes(removeVirtualDatacenter, {
  summary: 'Delete a virtual datacenter',
  who: { anyOf: ['VDC_MANAGE'], ownAccount: 'never' },
  target: virtualDatacenterTarget,
  event: 'virtualdatacenter',
  refuses: ['VDC-1'],
})
