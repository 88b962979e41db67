import { reads } from '#lib/pipeline/endpoint.server'
import { searchInput } from '#lib/search/search.schema'
import { search } from '#lib/search/search.server'

export const GET = reads((context) => search(context, context.query), {
  summary: 'Search all resources that you may list, by name or address',
  who: { anyOf: 'user' },
  query: searchInput,
  answers: { as: 'searchhits' },
})
