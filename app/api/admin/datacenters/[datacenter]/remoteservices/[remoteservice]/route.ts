import { readRemoteService } from '#lib/infrastructure/equipment.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'Read a remote service',
    anyOf: ['PHYS_DC_RETRIEVE_DETAILS'],
    ids: { datacenter: 'DC-0', remoteservice: 'REMOTESERVICE-0' },
    answers: 'remoteservice',
  },
  readRemoteService,
)
