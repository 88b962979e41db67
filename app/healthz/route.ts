import { open } from '#lib/pipeline/open.server'
import { readHealth } from '#lib/server/status.server'

export const GET = open({ summary: 'Whether the process answers', answers: 'text/plain' }, readHealth)
