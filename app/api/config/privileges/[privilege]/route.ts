import { privilegeTarget } from '#lib/people/identity/roles.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(async ({ found }) => found, {
  summary: 'Read a privilege',
  who: { anyOf: 'user' },
  target: privilegeTarget,
  answers: { as: 'privilege' },
})
