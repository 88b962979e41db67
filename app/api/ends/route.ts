import { reads } from '#lib/request/pipeline/endpoint.server'
import { endsQuery } from '#lib/state/ends/ends-list.schema'
import { listEnds } from '#lib/state/ends/ends-list.server'

export const GET = reads(({ query, ...context }) => listEnds(context, query), {
  summary: 'List the users, NAT IPs and NAT rules that end soon, of those that you may list',
  who: { anyOf: 'user' },
  query: endsQuery,
  answers: { as: 'ends' },
})
