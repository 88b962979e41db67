import { reads } from '#lib/pipeline/endpoint.server'
import { searchInput } from '#lib/search/search.schema'
import { search } from '#lib/search/search.server'

export const GET = reads(
  {
    summary: 'Search all resources that you may list, by name or address',
    anyOf: 'user',
    query: searchInput,
    answers: 'searchhits',
  },
  (context) => search(context, context.query),
)
