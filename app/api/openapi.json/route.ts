import { descriptionQuery, readOpenApi } from '#lib/openapi/openapi.server'
import { open } from '#lib/request/pipeline/open.server'

export const GET = open(readOpenApi, {
  summary: 'This description of the API',
  query: descriptionQuery,
  answers: { as: 'application/json' },
})
