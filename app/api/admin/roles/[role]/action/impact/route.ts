import { roleInput } from '#lib/people/identity/identity.schema'
import { roleImpactOf } from '#lib/people/identity/role-impact.server'
import { roleTarget } from '#lib/people/identity/roles.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const POST = reads(roleImpactOf, {
  summary: 'Preview a change of the role, or without a document its deletion',
  who: { anyOf: ['USERS_MANAGE_ROLES'] },
  target: roleTarget,
  takes: { as: 'role', body: roleInput, optional: true },
  answers: { as: 'roleimpact', status: 200 },
})
