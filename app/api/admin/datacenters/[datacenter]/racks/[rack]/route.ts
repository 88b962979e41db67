import { readRack } from '#lib/infrastructure/equipment.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'Read a rack',
    anyOf: ['PHYS_DC_RETRIEVE_DETAILS'],
    ids: { datacenter: 'DC-0', rack: 'RACK-0' },
    answers: 'rack',
  },
  readRack,
)
