import { writes } from '#lib/request/pipeline/endpoint.server'
import { applyPlan, planTarget, showPlanAgain } from '#lib/state/plans/plans.server'

export const POST = writes(applyPlan, {
  summary: 'Apply a plan that you made, as a whole',
  who: { anyOf: 'user', ownAccount: 'never' },
  target: planTarget,
  answers: { as: 'plan', status: 200, progress: true, again: showPlanAgain },
  job: 'plan.apply',
  event: null,
  refuses: ['PLAN-1', 'PLAN-2', 'PLAN-3', 'GEN-15'],
})
