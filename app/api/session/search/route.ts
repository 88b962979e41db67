import { reads } from '#lib/request/pipeline/endpoint.server'
import { searchInput } from '#lib/state/search/search.schema'
import { search } from '#lib/state/search/search.server'

export const GET = reads((context) => search(context, context.query), {
  summary: 'Search all resources that you may list, by name or address',
  who: { anyOf: 'user' },
  query: searchInput,
  answers: { as: 'searchhits' },
})
