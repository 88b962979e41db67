import { jobQuery } from '#lib/record/jobs/jobs.schema'
import { listJobs } from '#lib/record/jobs/jobs.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listJobs, {
  summary: 'List the jobs that you made, and those of others whose events you see',
  who: { anyOf: 'user' },
  query: jobQuery,
  answers: { as: 'jobs' },
})
