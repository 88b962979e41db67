import { datacenterTarget } from '#lib/cloud/infrastructure/datacenters.server'
import { natCheckQuery } from '#lib/cloud/nat/check.schema'
import { listNatFindings, natFindingCsv } from '#lib/cloud/nat/check.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listNatFindings, {
  summary: 'Check the NAT of a datacenter',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: { ids: { datacenter: 'DC-0' }, seen: datacenterTarget.find },
  query: natCheckQuery,
  refuses: ['NAT-NET-1'],
  answers: { as: 'natfindings', csv: natFindingCsv },
})
