import { followJob } from '#lib/record/jobs/follow.server'
import { jobTarget, showJob } from '#lib/record/jobs/jobs.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(showJob, {
  summary: 'Read a job, or follow it to its end',
  who: { anyOf: 'user' },
  target: jobTarget,
  answers: { as: 'job', follow: followJob },
})
