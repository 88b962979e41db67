import { accessQuestion } from '#lib/request/access/access.schema'
import { askedRefusals } from '#lib/request/access/asked.server'
import { explainAccess } from '#lib/request/access/explain.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const POST = reads(explainAccess, {
  summary: 'Explain why a user may or may not do something, without doing it',
  who: { anyOf: ['USERS_VIEW'] },
  takes: { as: 'accessquestion', body: accessQuestion },
  answers: { as: 'accessexplanation', status: 200 },
  refuses: askedRefusals,
})
