import { open } from '#lib/request/pipeline/open.server'
import { readVersion } from '#lib/server/status.server'

export const GET = open(readVersion, {
  summary: 'The version of the API',
  answers: { as: 'text/plain' },
})
