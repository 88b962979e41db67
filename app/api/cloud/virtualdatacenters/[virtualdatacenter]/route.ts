import {
  updateVirtualDatacenter,
  virtualDatacenterReferences,
} from '#lib/infrastructure/virtual-datacenter-changes.server'
import { virtualDatacenterInput } from '#lib/infrastructure/virtual-datacenters.schema'
import { readVirtualDatacenter } from '#lib/infrastructure/virtual-datacenters.server'
import { removeVirtualDatacenter } from '#lib/machines/virtual-datacenter-removal.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const ids = { virtualdatacenter: 'VDC-0' } as const

export const GET = reads(
  {
    summary: 'Read a virtual datacenter',
    anyOf: ['VDC_ENUMERATE', 'VDC_MANAGE'],
    ids,
    answers: 'virtualdatacenter',
  },
  readVirtualDatacenter,
)

export const PUT = writes(
  {
    summary: 'Change a virtual datacenter',
    anyOf: ['VDC_MANAGE'],
    ids,
    exists: readVirtualDatacenter,
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
    ids,
    exists: readVirtualDatacenter,
    refuses: ['VDC-1'],
    ownAccount: 'never',
    event: 'virtualdatacenter',
  },
  removeVirtualDatacenter,
)
