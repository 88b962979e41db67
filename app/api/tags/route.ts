import { reads } from '#lib/request/pipeline/endpoint.server'
import { tagsQuery } from '#lib/state/search/tags.schema'
import { listTags } from '#lib/state/search/tags.server'

export const GET = reads(({ query, ...context }) => listTags(context, query), {
  summary: 'List the tags of all resources that you may list',
  who: { anyOf: 'user' },
  query: tagsQuery,
  answers: { as: 'tags' },
})
