import { reads } from '#lib/request/pipeline/endpoint.server'
import { planTarget, showPlan } from '#lib/state/plans/plans.server'

export const GET = reads(showPlan, {
  summary: 'Read a plan that you made',
  who: { anyOf: 'user' },
  target: planTarget,
  answers: { as: 'plan' },
})
