import { whoQuery } from '#lib/access/access.schema'
import { askedRefusals } from '#lib/access/asked.server'
import { listWhoMay } from '#lib/access/who.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(listWhoMay, {
  summary: 'List the users who may do something',
  who: { anyOf: ['USERS_VIEW'] },
  query: whoQuery,
  answers: { as: 'users' },
  refuses: ['CONSTR-NOTNULL', ...askedRefusals],
})
