import { reads } from '#lib/pipeline/endpoint.server'
import { searchInput } from '#lib/search/search.schema'
import { search } from '#lib/search/search.server'

export const GET = reads(
  {
    summary: 'Find things of all kinds that one may list, by name or address',
    anyOf: 'user',
    query: searchInput,
    answers: 'searchhits',
  },
  (context) => search(context, context.query),
)
