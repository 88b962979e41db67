import { open } from '#lib/request/pipeline/open.server'
import { readReadiness } from '#lib/server/status.server'

export const GET = open(readReadiness, {
  summary: 'Whether the database answers and is up to date',
  answers: { as: 'text/plain' },
})
