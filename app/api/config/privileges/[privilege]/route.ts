import { readPrivilege } from '#lib/identity/roles.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'Read a privilege',
    anyOf: 'user',
    target: { ids: { privilege: 'PRIVILEGE-0' } },
    answers: 'privilege',
  },
  async ({ params }) => readPrivilege(params.privilege),
)
