import { open } from '#lib/request/pipeline/open.server'
import { readHealth } from '#lib/server/status.server'

export const GET = open(readHealth, {
  summary: 'Whether the process answers',
  answers: { as: 'text/plain' },
})
