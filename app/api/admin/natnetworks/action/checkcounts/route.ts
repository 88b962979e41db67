import { countAllNatFindings } from '#lib/cloud/nat/check.server'
import { nameQuery } from '#lib/ground/http/paging'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(countAllNatFindings, {
  summary: 'Count what the check of the NAT of each datacenter finds',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  query: nameQuery,
  answers: { as: 'natchecks' },
})
