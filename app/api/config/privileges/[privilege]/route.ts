import { readPrivilege } from '#lib/identity/roles.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(async ({ params }) => readPrivilege(params.privilege), {
  summary: 'Read a privilege',
  who: { anyOf: 'user' },
  target: { ids: { privilege: 'PRIVILEGE-0' } },
  answers: { as: 'privilege' },
})
