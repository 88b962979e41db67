import { accessQuestion } from '#lib/access/access.schema'
import { askedRefusals } from '#lib/access/asked.server'
import { explainAccess } from '#lib/access/explain.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const POST = reads(explainAccess, {
  summary: 'Explain why a user may or may not do something, without doing it',
  who: { anyOf: ['USERS_VIEW'] },
  takes: { as: 'accessquestion', body: accessQuestion },
  answers: { as: 'accessexplanation', status: 200 },
  refuses: askedRefusals,
})
