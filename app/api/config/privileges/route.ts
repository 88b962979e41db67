import { allPrivileges } from '#lib/caller/auth/privileges'
import { pageQuery } from '#lib/ground/http/paging'
import { listPrivileges, privilegeOrders } from '#lib/people/identity/roles.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(async ({ query }) => listPrivileges(allPrivileges, '/config/privileges', query), {
  summary: 'List privileges',
  who: { anyOf: 'user' },
  query: pageQuery(...privilegeOrders),
  answers: { as: 'privileges' },
})
