import { open } from '#lib/pipeline/open.server'
import { nothingHere } from '#lib/server/status.server'

export const GET = open({ summary: 'Nothing is here', answers: 'errors' }, nothingHere)
export const POST = GET
export const PUT = GET
export const PATCH = GET
export const DELETE = GET
