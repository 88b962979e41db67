import { readOpenApi } from '#lib/openapi/openapi.server'
import { open } from '#lib/request/pipeline/open.server'

export const GET = open(readOpenApi, {
  summary: 'This description of the API',
  answers: { as: 'application/json' },
})
