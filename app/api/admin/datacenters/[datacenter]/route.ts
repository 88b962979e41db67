import { reads, writes } from '#lib/http/endpoint.server'
import { datacenterInput } from '#lib/infrastructure/datacenters.schema'
import { readDatacenter, removeDatacenter, updateDatacenter } from '#lib/infrastructure/datacenters.server'

const ids = { datacenter: 'DC-0' } as const

export const GET = reads(
  {
    anyOf: ['PHYS_DC_ENUMERATE', 'VDC_MANAGE', 'USERS_MANAGE_ENTERPRISE', 'APPLIB_VIEW'],
    ids,
    answers: 'datacenter',
  },
  readDatacenter,
)

export const PUT = writes(
  {
    anyOf: ['PHYS_DC_MANAGE'],
    ids,
    exists: readDatacenter,
    takes: 'datacenter',
    body: datacenterInput,
    answers: 'datacenter',
  },
  updateDatacenter,
)

export const DELETE = writes({ anyOf: ['PHYS_DC_MANAGE'], ids, exists: readDatacenter }, removeDatacenter)
