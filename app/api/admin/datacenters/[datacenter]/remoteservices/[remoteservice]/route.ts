import { remoteServiceTarget } from '#lib/cloud/infrastructure/equipment.server'
import { shows } from '#lib/request/pipeline/endpoint.server'

export const GET = shows({
  summary: 'Read a remote service',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: remoteServiceTarget,
  answers: { as: 'remoteservice' },
})
