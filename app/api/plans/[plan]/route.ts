import { reads } from '#lib/pipeline/endpoint.server'
import { planTarget, showPlan } from '#lib/plans/plans.server'

export const GET = reads(showPlan, {
  summary: 'Read a plan that you made',
  who: { anyOf: 'user' },
  target: planTarget,
  answers: { as: 'plan' },
})
