import { remoteServiceTarget } from '#lib/infrastructure/equipment.server'
import { shows } from '#lib/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a remote service',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: remoteServiceTarget,
  answers: { as: 'remoteservice' },
})
