import { open } from '#lib/request/pipeline/open.server'
import { nothingHere } from '#lib/server/status.server'

export const GET = open(nothingHere, {
  summary: 'Unknown path',
  answers: { as: 'errors' },
})
export const POST = GET
export const PUT = GET
export const PATCH = GET
export const DELETE = GET
