import { notSupported } from '#lib/people/scim/discovery.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

const absent = reads(notSupported, {
  summary: '/Me of SCIM is not supported',
  who: { anyOf: 'user' },
  answers: { as: 'scim' },
  refuses: ['SCIM-8'],
})

export const GET = absent
export const POST = absent
export const PUT = absent
export const PATCH = absent
export const DELETE = absent
