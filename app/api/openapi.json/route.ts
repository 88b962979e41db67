import { open } from '#lib/http/open.server'
import { readOpenApi } from '#lib/openapi/openapi.server'

export const GET = open({ summary: 'This description of the API', answers: 'application/json' }, readOpenApi)
