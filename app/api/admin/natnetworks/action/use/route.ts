import { kinds } from '#lib/caller/kinds/kinds'
import { natUseListQuery } from '#lib/cloud/nat/networks.schema'
import { listNatUse } from '#lib/cloud/nat/use.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads((context) => listNatUse(context, context.query), {
  summary: 'Show how many NAT IPs of each datacenter are in use',
  who: { anyOf: kinds.natnetwork.readers },
  query: natUseListQuery,
  asOf: true,
  answers: { as: 'natuses' },
})
