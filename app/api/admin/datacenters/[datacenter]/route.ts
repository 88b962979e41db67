import { datacenterInput, readersOfDatacenter } from '#lib/infrastructure/datacenters.schema'
import { datacenterTarget, removeDatacenter, updateDatacenter } from '#lib/infrastructure/datacenters.server'
import { shows, writes } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a datacenter',
  anyOf: readersOfDatacenter,
  target: datacenterTarget,
  answers: 'datacenter',
})

export const PUT = writes(
  {
    summary: 'Change a datacenter',
    anyOf: ['PHYS_DC_MANAGE'],
    target: datacenterTarget,
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
    target: datacenterTarget,
    refuses: ['DC-5'],
    ownAccount: 'never',
    event: 'datacenter',
  },
  removeDatacenter,
)
