import { datacenterTarget } from '#lib/cloud/infrastructure/datacenters.server'
import { listRemoteServices, remoteServiceOrders } from '#lib/cloud/infrastructure/equipment.server'
import { changed, pageQuery } from '#lib/ground/http/paging'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listRemoteServices, {
  summary: 'List the remote services of a datacenter',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: datacenterTarget,
  query: pageQuery(...remoteServiceOrders).extend({ changed }),
  answers: { as: 'remoteservices' },
})
