import { allPrivileges } from '#lib/auth/privileges'
import { pageQuery } from '#lib/http/paging'
import { listPrivileges, privilegeOrders } from '#lib/identity/roles.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(async ({ query }) => listPrivileges(allPrivileges, '/config/privileges', query), {
  summary: 'List privileges',
  who: { anyOf: 'user' },
  query: pageQuery(...privilegeOrders),
  answers: { as: 'privileges' },
})
