import { pageQuery } from '#lib/http/paging'
import { datacenterTarget } from '#lib/infrastructure/datacenters.server'
import { listRemoteServices, remoteServiceOrders } from '#lib/infrastructure/equipment.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(listRemoteServices, {
  summary: 'List the remote services of a datacenter',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: datacenterTarget,
  query: pageQuery(...remoteServiceOrders),
  answers: { as: 'remoteservices' },
})
