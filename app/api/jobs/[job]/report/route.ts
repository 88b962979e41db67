import { reportOfJob, reportTarget } from '#lib/record/jobs/jobs.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(reportOfJob, {
  summary: 'Read what became of the rows of a job that you made',
  who: { anyOf: 'user' },
  target: reportTarget,
  answers: { as: 'bulkreport' },
})
