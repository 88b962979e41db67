import { datacenterTarget } from '#lib/cloud/infrastructure/datacenters.server'
import { listRacks } from '#lib/cloud/infrastructure/equipment.server'
import { changed, nameQuery } from '#lib/ground/http/paging'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listRacks, {
  summary: 'List the racks of a datacenter',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: datacenterTarget,
  query: nameQuery.extend({ changed }),
  answers: { as: 'racks' },
})
