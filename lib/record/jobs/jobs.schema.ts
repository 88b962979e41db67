import { z } from 'zod'
import { pageQuery, queryId } from '#lib/ground/http/paging'
import { links } from '#lib/ground/http/view'

export const jobStates = ['waiting', 'running', 'done', 'stopped', 'failed'] as const
export type JobState = (typeof jobStates)[number]

export const isOpenState = (state: string): boolean => state === 'waiting' || state === 'running'

const time = z.iso.datetime({ precision: 3 })

/** A change that goes on after its request (docs/api/jobs.md, "Jobs"). */
export const jobDocument = z.object({
  links,
  id: z.int(),
  /** Entity and action of its rows: `natip.update`. */
  operation: z.string(),
  state: z.enum(jobStates),
  /** Rows, for callers who see all of them. */
  done: z.int().optional(),
  /** Absent until it is known. */
  total: z.int().optional(),
  refused: z.int().optional(),
  created: time,
  began: time.optional(),
  ended: time.optional(),
  /** Of a failed job. */
  code: z.string().optional(),
  message: z.string().optional(),
})
export type JobDocument = z.infer<typeof jobDocument>

/** The newest first. A job has no text to search. */
export const jobQuery = pageQuery('id')
  .omit({ has: true })
  .extend({
    asc: pageQuery('id').shape.asc.removeDefault().default(false),
    user: queryId('user').optional(),
    state: z.enum(jobStates, `state must be one of ${jobStates.join(', ')}`).optional(),
  })
export type JobQuery = z.infer<typeof jobQuery>
