import { kinds } from '#lib/kinds/kinds'
import { natUseListQuery } from '#lib/nat/networks.schema'
import { listNatUse } from '#lib/nat/use.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads((context) => listNatUse(context, context.query), {
  summary: 'Show how many NAT IPs of each datacenter are in use',
  who: { anyOf: kinds.natnetwork.readers },
  query: natUseListQuery,
  answers: { as: 'natuses' },
})
