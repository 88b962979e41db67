import { datacenterInput, readersOfDatacenter } from '#lib/cloud/infrastructure/datacenters.schema'
import {
  datacenterTarget,
  removeDatacenter,
  updateDatacenter,
} from '#lib/cloud/infrastructure/datacenters.server'
import { shows, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a datacenter',
  who: { anyOf: readersOfDatacenter },
  target: datacenterTarget,
  asOf: true,
  answers: { as: 'datacenter' },
})

export const PUT = writes(updateDatacenter, {
  summary: 'Change a datacenter',
  who: { anyOf: ['PHYS_DC_MANAGE'], ownAccount: 'never' },
  target: datacenterTarget,
  takes: { as: 'datacenter', body: datacenterInput },
  answers: { as: 'datacenter' },
  event: 'datacenter',
  refuses: ['DC-3'],
})

export const DELETE = writes(removeDatacenter, {
  summary: 'Delete a datacenter',
  who: { anyOf: ['PHYS_DC_MANAGE'], ownAccount: 'never' },
  target: datacenterTarget,
  event: 'datacenter',
  refuses: ['DC-5'],
})
