import { open } from '#lib/http/open.server'
import { readReadiness } from '#lib/server/status.server'

export const GET = open(readReadiness)
