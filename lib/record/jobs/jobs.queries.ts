import type { QueryClient } from '@tanstack/react-query'
import { ApiFailure, api } from '#lib/client/api'
import { collectionQuery, invalidateBelow, isAtOrBelow, useChange } from '#lib/client/resources.queries'
import type { Progress } from '#lib/ground/http/event-stream'
import { linkOf } from '#lib/ground/http/view'
import { undoPath } from '#lib/record/events/events.queries'
import type { EventDocument } from '#lib/record/events/events.schema'
import { isOpenState, type JobDocument } from '#lib/record/jobs/jobs.schema'

export const jobsPath = '/api/jobs'

export const isOpen = ({ state }: JobDocument): boolean => isOpenState(state)

/** Asks the API to answer with a job, which goes on if this page is closed (RFC 7240 §4.1). */
export const asJob = { Prefer: 'respond-async' }

const SHOWN = 20

/** The newest jobs of a user. They are read each second while one of them runs, and whenever the window gets the focus. */
export const jobsQuery = (user: number) => ({
  ...collectionQuery<JobDocument>(jobsPath, { user, limit: SHOWN }),
  staleTime: 0,
  refetchOnWindowFocus: 'always' as const,
  refetchInterval: (query: { state: { data?: { collection: JobDocument[] } | undefined } }) =>
    query.state.data?.collection.some(isOpen) ? 1000 : false,
})

export const jobsChanged = (client: QueryClient): Promise<void> => invalidateBelow(client, [jobsPath])

export const stopJob = ({ id }: JobDocument): Promise<JobDocument> =>
  api(`${jobsPath}/${id}/action/stop`, { method: 'POST', once: false })

/** The document that the operation would have answered with, if there is one. */
export async function resultOf<T>(job: JobDocument): Promise<T | undefined> {
  const link = linkOf(job, 'result')
  return link && api<T>(new URL(link.href).pathname, { meta: undefined })
}

/** Milliseconds between two looks at a job: most end within the first ones. */
const FIRST_LOOK = 100
const LAST_LOOK = 1000

/** Waits until the job has ended. A look that fails is repeated: the job goes on without this page. */
export async function followJob(job: JobDocument, report: (job: JobDocument) => void): Promise<JobDocument> {
  let now = job
  for (let wait = FIRST_LOOK; isOpen(now); wait = Math.min(wait * 2, LAST_LOOK)) {
    await new Promise((done) => setTimeout(done, wait))
    now = await api<JobDocument>(`${jobsPath}/${job.id}`, { meta: undefined }).catch((error) => {
      if (error instanceof ApiFailure && error.status < 500 && error.status > 0) throw error
      return now
    })
    report(now)
  }
  return now
}

/** Why a job has failed, as the refusal of its operation. */
export const failureOf = ({ state, code, message = '' }: JobDocument): ApiFailure | undefined =>
  state === 'failed' && code !== undefined
    ? new ApiFailure({ status: 409, faults: [{ code, message }] })
    : undefined

/** A job of one transaction was stopped: nothing was changed. */
const stopped = () =>
  new ApiFailure({ status: 409, faults: [{ code: 'STOPPED', message: 'The job was stopped' }] })

type OnProgress = (progress: Progress) => void

/** Waits for a job of one transaction. Throws its refusal if it failed, and STOPPED. */
export async function followWhole(
  phase: string,
  begun: JobDocument,
  onProgress: OnProgress,
): Promise<JobDocument> {
  const job = await followJob(begun, ({ done = 0, total = 0 }) => onProgress({ phase, done, total }))
  const failure = job.state === 'stopped' ? stopped() : failureOf(job)
  if (failure) throw failure
  return job
}

/** Undoes an event. Only one undo of an event succeeds, so a repeat does no harm. */
export const beginUndo = (event: number): Promise<JobDocument> =>
  api(undoPath(event), { method: 'POST', once: false, headers: asJob })

/** Returns the event of the undo. An undo can change anything, so all cached data is read again. */
export const useUndo = (onProgress: OnProgress) =>
  useChange<number, EventDocument | undefined>(
    async (event) => resultOf(await followWhole('undo', await beginUndo(event), onProgress)),
    (client, event) =>
      client.invalidateQueries({ predicate: ({ queryKey }) => !isAtOrBelow(queryKey, undoPath(event)) }),
  )
