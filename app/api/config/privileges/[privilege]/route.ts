import { privilegeTarget } from '#lib/identity/roles.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(async ({ found }) => found, {
  summary: 'Read a privilege',
  who: { anyOf: 'user' },
  target: privilegeTarget,
  answers: { as: 'privilege' },
})
