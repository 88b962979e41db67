import { open } from '#lib/http/open.server'
import { readHealth } from '#lib/server/status.server'

export const GET = open(readHealth)
