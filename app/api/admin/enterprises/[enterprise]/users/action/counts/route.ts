import { countUsers } from '#lib/identity/user-counts.server'
import { userCountQuery } from '#lib/identity/users.schema'
import { usersTarget } from '#lib/identity/users.server'
import { kinds } from '#lib/kinds/kinds'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads((context) => countUsers(context, context.params.enterprise, context.query), {
  summary: 'Count the users of roles or enterprises',
  who: { anyOf: kinds.user.readers },
  target: usersTarget,
  query: userCountQuery,
  answers: { as: 'usercounts' },
})
