import { endOtherSessions, listSessions, sessionOrders } from '#lib/caller/auth/sessions.server'
import { pageQuery } from '#lib/ground/http/paging'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listSessions, {
  summary: 'List your sessions: browsers, and programs whose tokens are used',
  who: { anyOf: 'user', ownAccount: 'always' },
  query: pageQuery(...sessionOrders),
  answers: { as: 'usersessions' },
})

export const DELETE = writes(endOtherSessions, {
  summary: 'End all your other sessions, and every token of an earlier sign-in',
  who: { anyOf: 'user', ownAccount: 'always' },
  event: { entity: 'user', action: 'end-other-sessions', cannotUndo: 'sessions' },
})
