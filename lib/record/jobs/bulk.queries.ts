import { queryOptions } from '@tanstack/react-query'
import { ApiFailure, api } from '#lib/client/api'
import { createOnce } from '#lib/client/once'
import { pathKey } from '#lib/client/resources.queries'
import type { BulkImpact, BulkRefusal, BulkReport } from '#lib/record/bulk/bulk.schema'
import { asJob, failureOf, followJob, jobsPath, resultOf } from './jobs.queries'
import type { JobDocument } from './jobs.schema'

/**
 * The rows of a bulk change: these, or all rows that match the query of the list. `at` is the datacenter of the rows, if a list shows
 * several: the API changes the rows of one datacenter in a call.
 */
export type BulkSelection = ({ ids: readonly number[] } | { filter: string }) & { at?: number | undefined }

/** One change, for the rows of a selection. */
export type BulkCall = {
  preview: (selection: BulkSelection) => Promise<BulkReport>
  /** The change itself goes on in a job, also without this page. */
  begin: (selection: BulkSelection) => Promise<JobDocument>
}

export function bulkCall(path: string | ((at: number | undefined) => string), change: object = {}): BulkCall {
  const pathAt = (at: number | undefined) => (typeof path === 'string' ? path : path(at))
  return {
    preview: ({ at, ...selection }) =>
      api(pathAt(at), { method: 'POST', once: false, body: { ...change, ...selection, dryrun: true } }),
    begin: ({ at, ...selection }) =>
      api(pathAt(at), {
        method: 'POST',
        once: createOnce(),
        headers: asJob,
        body: { ...change, ...selection },
      }),
  }
}

export type BulkProgress = Pick<BulkReport, 'total' | 'changed' | 'unchanged' | 'refused' | 'ids'> & {
  /** Rows that were worked on, whatever became of them. */
  done: number
  refusals: readonly BulkRefusal[]
  events: readonly number[]
  /** Why a job ended before its last row. */
  failure?: unknown
}

export const noProgress: BulkProgress = {
  total: 0,
  done: 0,
  changed: 0,
  unchanged: 0,
  refused: 0,
  ids: [],
  refusals: [],
  events: [],
}

const sizeOf = (selection: BulkSelection): number => ('ids' in selection ? selection.ids.length : 0)

/** A job, and how many rows were selected for it, if the screen knows it. */
export type BulkJob = { job: JobDocument; size: number; failure?: unknown }

/** Begins the change of each selection. Throws if none of them could begin; the jobs that began go on beside a failure. */
export async function beginJobs(call: BulkCall, selections: readonly BulkSelection[]): Promise<BulkJob[]> {
  const begun = await Promise.allSettled(selections.map((selection) => call.begin(selection)))
  const [refused] = begun.filter((each) => each.status === 'rejected')
  const jobs = begun.flatMap((each, index): BulkJob[] => {
    const size = sizeOf(selections[index] ?? { ids: [] })
    return each.status === 'fulfilled' ? [{ job: each.value, size }] : []
  })
  if (refused && jobs.length === 0) throw refused.reason
  return jobs.map((each) => ({ ...each, failure: refused?.reason }))
}

/** Waits until all of the jobs have ended, reports on the way how far they are, and sums up what they did. */
export async function followJobs(
  jobs: readonly BulkJob[],
  report: (sum: BulkProgress) => void,
): Promise<BulkProgress> {
  const seen = jobs.map(({ job }) => job)
  const totalOf = (job: JobDocument, index: number) => job.total ?? jobs[index]?.size ?? 0
  const ended = await Promise.all(
    jobs.map(({ job }, index) =>
      followJob(job, (now) => {
        seen[index] = now
        const done = sumOf(seen.map((each) => each.done ?? 0))
        report({ ...noProgress, done, total: sumOf(seen.map(totalOf)) })
      }),
    ),
  )
  const results = await Promise.all(ended.map(reportOf))
  return {
    done: sumOf(ended.map(({ done = 0 }) => done)),
    total: sumOf(ended.map(totalOf)),
    changed: sumOf(results.map(({ changed }) => changed)),
    unchanged: sumOf(results.map(({ unchanged }) => unchanged)),
    refused: sumOf(results.map(({ refused }) => refused)),
    ids: results.flatMap(({ ids }) => ids),
    refusals: results.flatMap(({ refusals }) => refusals),
    events: results.flatMap(({ event }) => event ?? []),
    failure: ended.map(failureOf).find(Boolean) ?? jobs[0]?.failure,
  }
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

const noReport: BulkReport = {
  links: [],
  total: 0,
  changed: 0,
  unchanged: 0,
  refused: 0,
  refusals: [],
  ids: [],
}

/** The report of a job that has ended. A user who has lost the privilege of the change does not get it. */
const reportOf = (job: JobDocument): Promise<BulkReport> =>
  resultOf<BulkReport>(job).then(
    (report) => report ?? noReport,
    (error) => {
      if (error instanceof ApiFailure && error.status === 403) return noReport
      throw error
    },
  )

export const reportQuery = (job: JobDocument) =>
  queryOptions({
    queryKey: [...pathKey(jobsPath), job.id, 'report'] as readonly unknown[],
    queryFn: () => reportOf(job),
  })

/** A preview of a change of all selections. */
export async function previewOf(call: BulkCall, selections: readonly BulkSelection[]): Promise<BulkReport> {
  const reports = await Promise.all(selections.map(call.preview))
  return reports.reduce(bothPreviews)
}

const bothPreviews = (one: BulkReport, other: BulkReport): BulkReport => ({
  ...one,
  total: one.total + other.total,
  ...(one.impact && other.impact && { impact: bothImpacts(one.impact, other.impact) }),
})

function bothImpacts(one: BulkImpact, other: BulkImpact): BulkImpact {
  const enterprises = [...new Set([...one.enterprises, ...other.enterprises])]
  const unnamed = ({ enterprises, totalEnterprises }: BulkImpact) => totalEnterprises - enterprises.length
  return {
    attached: one.attached + other.attached,
    defaultSnat: one.defaultSnat + other.defaultSnat,
    rules: one.rules + other.rules,
    enterprises,
    // An enterprise that both leave unnamed counts twice.
    totalEnterprises: enterprises.length + unnamed(one) + unnamed(other),
  }
}

/** Only the rows that a change has changed, to change them back. */
export function changedOf(selections: readonly BulkSelection[], ids: readonly number[]): BulkSelection[] {
  const changed = new Set(ids)
  return selections
    .map((selection) => ({
      at: selection.at,
      ids: 'ids' in selection ? selection.ids.filter((id) => changed.has(id)) : ids,
    }))
    .filter((selection) => selection.ids.length > 0)
}

/** The query of a list as the filter of a bulk change: without its page and order. */
export function filterText(query: Record<string, string | number | boolean | undefined>): string {
  const { startwith: _, limit: _limit, by: _by, asc: _asc, ...filters } = query
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined && value !== '') text.set(name, String(value))
  return text.toString()
}
