import { writes } from '#lib/request/pipeline/endpoint.server'
import { planInput, planQuery } from '#lib/state/plans/plans.schema'
import { createPlan, showPlanAgain } from '#lib/state/plans/plans.server'
import { anyPlanWriter } from '#lib/state/plans/present.server'
import { planReaders } from '#lib/state/plans/tables.server'

export const POST = writes(createPlan, {
  summary: 'Plan the changes that make the cloud what a document says',
  who: { anyOf: anyPlanWriter, ownAccount: 'never' },
  query: planQuery,
  takes: { as: 'export', body: planInput, reads: planReaders },
  answers: { as: 'plan', progress: true, again: showPlanAgain },
  event: null,
  inSteps: true,
  refuses: ['PLAN-0'],
})
