import { readers } from '#lib/auth/readers'
import { natUseListQuery } from '#lib/nat/networks.schema'
import { listNatUse } from '#lib/nat/use.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads((context) => listNatUse(context, context.query), {
  summary: 'Show how many NAT IPs of each datacenter are in use',
  who: { anyOf: readers.natnetwork },
  query: natUseListQuery,
  answers: { as: 'natuses' },
})
