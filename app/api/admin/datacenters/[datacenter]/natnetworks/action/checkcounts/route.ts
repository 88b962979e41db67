import { datacenterTarget } from '#lib/cloud/infrastructure/datacenters.server'
import { natCheckCountsQuery } from '#lib/cloud/nat/check.schema'
import { countNatFindings } from '#lib/cloud/nat/check.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(countNatFindings, {
  summary: 'Count what the check of the NAT of a datacenter finds',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: { ids: { datacenter: 'DC-0' }, seen: datacenterTarget.find },
  query: natCheckCountsQuery,
  refuses: ['NAT-NET-1'],
  answers: { as: 'natfindingcounts' },
})
