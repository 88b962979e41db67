import { datacenterInput, readersOfDatacenter } from '#lib/infrastructure/datacenters.schema'
import { readDatacenter, removeDatacenter, updateDatacenter } from '#lib/infrastructure/datacenters.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const ids = { datacenter: 'DC-0' } as const

export const GET = reads(
  {
    summary: 'Read a datacenter',
    anyOf: readersOfDatacenter,
    ids,
    answers: 'datacenter',
  },
  readDatacenter,
)

export const PUT = writes(
  {
    summary: 'Change a datacenter',
    anyOf: ['PHYS_DC_MANAGE'],
    ids,
    exists: readDatacenter,
    takes: 'datacenter',
    body: datacenterInput,
    answers: 'datacenter',
    refuses: ['DC-3'],
    ownAccount: 'never',
    event: 'datacenter',
  },
  updateDatacenter,
)

export const DELETE = writes(
  {
    summary: 'Delete a datacenter',
    anyOf: ['PHYS_DC_MANAGE'],
    ids,
    exists: readDatacenter,
    refuses: ['DC-5'],
    ownAccount: 'never',
    event: 'datacenter',
  },
  removeDatacenter,
)
