import { roleInput } from '#lib/identity/identity.schema'
import { roleImpactOf } from '#lib/identity/role-impact.server'
import { roleTarget } from '#lib/identity/roles.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const POST = reads(roleImpactOf, {
  summary: 'Preview a change of the role, or without a document its deletion',
  who: { anyOf: ['USERS_MANAGE_ROLES'] },
  target: roleTarget,
  takes: { as: 'role', body: roleInput, optional: true },
  answers: { as: 'roleimpact', status: 200 },
})
