import { writes } from '#lib/pipeline/endpoint.server'
import { planInput, planQuery } from '#lib/plans/plans.schema'
import { createPlan, preparePlan } from '#lib/plans/plans.server'
import { planReaders } from '#lib/plans/tables.server'

export const POST = writes(createPlan, {
  summary: 'Plan the changes that make the cloud what a document says',
  who: { anyOf: 'user', ownAccount: 'never' },
  query: planQuery,
  prepare: preparePlan,
  takes: { as: 'export', body: planInput, reads: planReaders },
  answers: { as: 'plan', progress: true },
  event: null,
})
