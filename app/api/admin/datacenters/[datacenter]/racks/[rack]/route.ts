import { rackTarget } from '#lib/infrastructure/equipment.server'
import { shows } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a rack',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: rackTarget,
  answers: { as: 'rack' },
})
