import { rackTarget } from '#lib/cloud/infrastructure/equipment.server'
import { shows } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a rack',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: rackTarget,
  answers: { as: 'rack' },
})
