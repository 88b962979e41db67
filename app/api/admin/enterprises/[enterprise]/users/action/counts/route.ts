import { readers } from '#lib/auth/readers'
import { countUsers } from '#lib/identity/user-counts.server'
import { userCountQuery } from '#lib/identity/users.schema'
import { usersTarget } from '#lib/identity/users.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads((context) => countUsers(context, context.params.enterprise, context.query), {
  summary: 'Count the users of roles or enterprises',
  who: { anyOf: readers.user },
  target: usersTarget,
  query: userCountQuery,
  answers: { as: 'usercounts' },
})
