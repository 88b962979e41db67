import { nameQuery } from '#lib/http/paging'
import { datacenterTarget } from '#lib/infrastructure/datacenters.server'
import { listRacks } from '#lib/infrastructure/equipment.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(listRacks, {
  summary: 'List the racks of a datacenter',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: datacenterTarget,
  query: nameQuery,
  answers: { as: 'racks' },
})
