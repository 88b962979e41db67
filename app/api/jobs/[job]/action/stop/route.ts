import { jobTarget, stopJob } from '#lib/record/jobs/jobs.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(stopJob, {
  summary: 'Stop a job that you made; what it has done stays',
  who: { anyOf: 'user', ownAccount: 'never' },
  target: jobTarget,
  answers: { as: 'job', status: 200 },
  inSteps: true,
  event: null,
  refuses: ['JOB-1', 'GEN-15'],
})
