import { kinds } from '#lib/caller/kinds/kinds'
import { countUsers } from '#lib/people/identity/user-counts.server'
import { userCountQuery } from '#lib/people/identity/users.schema'
import { usersTarget } from '#lib/people/identity/users.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads((context) => countUsers(context, context.params.enterprise, context.query), {
  summary: 'Count the users of roles or enterprises',
  who: { anyOf: kinds.user.readers },
  target: usersTarget,
  query: userCountQuery,
  answers: { as: 'usercounts' },
})
