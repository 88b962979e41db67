import { readers } from '#lib/auth/readers'
import { natUseListQuery } from '#lib/nat/networks.schema'
import { listNatUse } from '#lib/nat/use.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'Show how many NAT IPs of each datacenter are in use',
    anyOf: readers.natnetwork,
    query: natUseListQuery,
    answers: 'natuses',
  },
  (context) => listNatUse(context, context.query),
)
