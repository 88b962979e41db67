import { whoQuery } from '#lib/request/access/access.schema'
import { askedRefusals } from '#lib/request/access/asked.server'
import { listWhoMay } from '#lib/request/access/who.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listWhoMay, {
  summary: 'List the users who may do something',
  who: { anyOf: ['USERS_VIEW'] },
  query: whoQuery,
  answers: { as: 'users' },
  refuses: ['CONSTR-NOTNULL', ...askedRefusals],
})
