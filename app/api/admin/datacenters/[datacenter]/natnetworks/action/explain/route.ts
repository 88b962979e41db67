import { datacenterTarget } from '#lib/cloud/infrastructure/datacenters.server'
import { natPacket } from '#lib/cloud/nat/explain.schema'
import { explainPacket } from '#lib/cloud/nat/explain.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const POST = reads(explainPacket, {
  summary: 'Explain what the NAT of a datacenter does to a packet',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: { ids: { datacenter: 'DC-0' }, find: datacenterTarget.find },
  takes: { as: 'natpacket', body: natPacket },
  answers: { as: 'natexplanation', status: 200 },
})
