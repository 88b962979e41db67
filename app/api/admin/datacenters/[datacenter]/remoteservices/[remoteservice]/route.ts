import { reads } from '#lib/http/endpoint.server'
import { readRemoteService } from '#lib/infrastructure/equipment.server'

export const GET = reads(
  {
    anyOf: ['PHYS_DC_RETRIEVE_DETAILS'],
    ids: { datacenter: 'DC-0', remoteservice: 'REMOTESERVICE-0' },
    answers: 'remoteservice',
  },
  readRemoteService,
)
