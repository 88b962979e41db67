import { endOtherSessions, listSessions, sessionOrders } from '#lib/auth/sessions.server'
import { pageQuery } from '#lib/http/paging'
import { reads, writes } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List your sessions: browsers, and programs whose tokens are used',
    anyOf: 'user',
    query: pageQuery(...sessionOrders),
    answers: 'usersessions',
  },
  listSessions,
)

export const DELETE = writes(
  {
    summary: 'End all your other sessions, and every token of an earlier sign-in',
    anyOf: 'user',
    ownAccount: 'always',
    event: { entity: 'user', action: 'end-other-sessions' },
  },
  endOtherSessions,
)
