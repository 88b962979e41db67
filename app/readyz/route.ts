import { open } from '#lib/pipeline/open.server'
import { readReadiness } from '#lib/server/status.server'

export const GET = open(
  { summary: 'Whether the database answers and is up to date', answers: 'text/plain' },
  readReadiness,
)
